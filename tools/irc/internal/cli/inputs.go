package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// An Input is a kind of input: a language in which programs are written. It has one of
// Read, Model and Absent.
type Input struct {
	Name       string   // what -x calls it
	What       string   // what a program in it is, with its article: "a BUGS model"
	Extensions []string // of its files, the usual one first
	Others     []string // extensions that it reads, too, and that nobody is told to use

	// Sniff reports, of what has no extension that is known or comes from standard input,
	// that it looks like this kind. nil never does; the first kind is the one that is left.
	Sniff func(text string) bool

	// Read makes a graph of a source: what a lexer, a parser and a Builder do. Places in
	// the source are given to ops as ir.Loc, an offset and 1, so that diagnostics about
	// them show the source. The list has what is wrong, each with its span.
	Read func(ctx *ir.Context, src *diag.Source, o ReadOptions) (*ir.Graph, diag.List)

	// Bind, if there is one, makes the arguments of the function that `irc run` calls, from
	// -data and -D, and says which of them are what the program gives. -args does without it.
	Bind func(ctx *ir.Context, src *diag.Source, data []*diag.Source, params map[string]string) (*Bound, diag.List)

	// Arguments, if there is one, are the names that the source gives to the arguments of its one function: sizes, and
	// those behind them. Others have the names of the text of a graph.
	Arguments func(src *diag.Source) (sizes, others []string)

	// Model reads models, which are bound to data and have a density.
	Model Frontend

	// Missing says why it cannot be read: the contract has it, and this version has not.
	Missing string

	// Flags are those that say something about this kind; those about others alone are
	// refused. nil stands for ProgramFlags, and ModelFlags of a Model.
	Flags    []string
	Dialects []string // what -dialect may say

	Text     bool     // the text form of graphs, which irc writes
	Comment  string   // begins a comment up to the end of the line: "#"
	Examples []string // command lines that help shows
}

// ReadOptions are what the command line says about reading.
type ReadOptions struct {
	Verbatim          bool // no folds and no sharing
	AllowUnregistered bool
}

// Flags about programs and about models.
var (
	ProgramFlags = []string{"entry", "args", "split-input-file", "verify-diagnostics"}
	ModelFlags   = []string{"data", "inits", "D", "shapes", "dialect", "strict", "fill-inits", "points"}
)

// ArgumentsOf are what a source calls the arguments of its function, of a kind of input.
func ArgumentsOf(k *Input, src *diag.Source) (sizes, others []string) {
	if k.Arguments == nil {
		return nil, nil
	}
	return k.Arguments(src)
}

func (k *Input) flags() []string {
	switch {
	case k.Flags != nil:
		return k.Flags
	case k.Model != nil:
		return ModelFlags
	}
	return ProgramFlags
}

// reads reports an extension of the kind.
func (k *Input) reads(ext string) bool {
	return ext != "" && (slices.Contains(k.Extensions, ext) || slices.Contains(k.Others, ext))
}

// inputNamed finds the kind of a name, or nil.
func (p *Program) inputNamed(name string) *Input {
	for _, k := range p.Inputs {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// inputOf finds the kind of a file by its name, or nil.
func (p *Program) inputOf(path string) *Input {
	ext := strings.ToLower(filepath.Ext(path))
	for _, k := range p.Inputs {
		if k.reads(ext) {
			return k
		}
	}
	return nil
}

// sniffed finds the kind that a text looks like, or nil.
func (p *Program) sniffed(text string) *Input {
	for _, k := range p.Inputs {
		if k.Sniff != nil && k.Sniff(text) {
			return k
		}
	}
	return nil
}

// howToName tells how to say that an input is of one of some kinds: "name it .mlir, or
// say -x=ir".
func howToName(kinds []*Input) string {
	var extensions, names []string
	for _, k := range kinds {
		if k.Missing == "" {
			extensions, names = append(extensions, k.Extensions...), append(names, k.Name)
		}
	}
	return "name it " + spelled(extensions, "", "or") + ", or say " + spelled(names, "-x=", "or")
}

// spelled is "a, b or c", each with something before it.
func spelled(words []string, before, or string) string {
	n := len(words) - 1
	if n < 0 {
		return ""
	}
	if n == 0 {
		return before + words[0]
	}
	return before + strings.Join(words[:n], ", "+before) + " " + or + " " + before + words[n]
}

func beforeComma(text string) string {
	text, _, _ = strings.Cut(text, ",")
	return text
}

// ReadText reads text IR.
func ReadText(ctx *ir.Context, src *diag.Source, o ReadOptions) (*ir.Graph, diag.List) {
	// A function that refers to no other is settled while it is at hand. What is wrong
	// with references is told of the program as written.
	alone := symbols.Alone(ctx)
	each := func(g *ir.Graph) *ir.Graph {
		if alone(g) {
			return ir.Settle(g)
		}
		return g
	}
	return text.Parse(ctx, src, text.Options{Verbatim: o.Verbatim, AllowUnregistered: o.AllowUnregistered, Each: each})
}

// ReadGraph reads a source into a graph that is known to be right and settled: what is
// printed of it reads as what prints the same.
func (r *reader) ReadGraph(ctx *ir.Context, src *diag.Source, kind *Input) (*ir.Graph, diag.List) {
	g, list := kind.Read(ctx, src, ReadOptions{Verbatim: r.line.Flag("verbatim"), AllowUnregistered: r.line.Flag("allow-unregistered-dialect")})
	if g == nil || list.Err() != nil {
		return nil, list
	}
	if err := symbols.Check(g); err != nil {
		return nil, append(list, diagnose(ctx, src, err))
	}
	return ir.Settle(g), list
}

// AsWrittenText is text IR exactly as it stands; nil if it is wrong.
func (r *reader) AsWrittenText(ctx *ir.Context, src *diag.Source) (*ir.Graph, diag.List) {
	return text.Parse(ctx, src, text.Options{Verbatim: true, AllowUnregistered: r.line.Flag("allow-unregistered-dialect")})
}
