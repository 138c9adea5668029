// Package product lists what irc has. With it one
//
//   - adds to irc: All is the Program of this repository, to whose lists one appends;
//   - makes an irc of less: the passes are Passes, and a cli.Program names what else is wanted;
//   - runs native code in a process of its own: main calls ServeIfChild first.
//
// What the system that it is built for lacks is in no list, and what no list has is no part of the binary.
package product

import (
	"slices"
	"sync"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/loop/tables"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/sequence"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/commands"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
	"github.com/irc-lang/irc/tools/irc/internal/emit/c"
	"github.com/irc-lang/irc/tools/irc/internal/emit/code"
	"github.com/irc-lang/irc/tools/irc/internal/emit/golang"
	"github.com/irc-lang/irc/tools/irc/internal/emit/picture"
	"github.com/irc-lang/irc/tools/irc/internal/equations"
	"github.com/irc-lang/irc/tools/irc/internal/models"
)

// All is irc with all that this repository has. Its lists are the caller's to change. A main that has it calls
// ServeIfChild first.
func All() *cli.Program {
	return &cli.Program{
		Dialects: slices.Clone(dialects.All),
		Passes:   Passes(),
		Inputs:   []*cli.Input{cli.TextIR, models.BUGS, equations.Input},
		Emits: slices.Concat(emit.Text, []*emit.Kind{code.LLVM, c.C, c.Freestanding, golang.Go}, machine,
			[]*emit.Kind{picture.DOT, picture.SVG}, kernels),
		Engines:  slices.Clone(engines),
		Targets:  slices.Clone(cli.Targets),
		Commands: []*cli.Command{commands.Sample, commands.Summary, commands.Explain, commands.Sets, commands.Complexity, commands.Prove, commands.Doctor},
		Checks:   slices.Clone(engine.Checks),
		Lowering: &cli.Lowering{Down: lowering.Down, Page: lowering.Page, Supports: compiles(), Processor: commands.Processor, Derive: commands.Derive, Matrix: commands.Matrix},
		Tables: &cli.Tables{Wants: tables.Wants, Used: tables.Used, Chosen: tables.Chosen, Parts: tables.Parts, Columns: tables.Columns, Of: tables.Of,
			Parquet: parquet},
		Tuner: tuner,
		Clock: clock,
	}
}

// Passes lists those on programs, those on models, those that lower, and what ends a pipeline.
func Passes() pass.List {
	return slices.Concat(passes.All(), sequence.Passes(), lowering.Passes())
}

// compiles tells an op that LLVM is given, or that is lowered on the way there.
func compiles() func(*ir.Dialect, *ir.OpDef) bool {
	translated := sync.OnceValue(llvm.Supported)
	return func(_ *ir.Dialect, op *ir.OpDef) bool { return translated()[op] || lowering.Lowers(dialects.All, op) }
}
