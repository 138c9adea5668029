package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/ir/run/table"
)

// Tables are how arguments and results of functions are tables of files.
type Tables struct {
	Wants   func(*ir.Context, ir.Type) ([]table.Want, error)                              // the columns of an argument
	Used    func(g *ir.Graph, wants []table.Want, params []ir.Value) []bool               // those that a function reads
	Chosen  func(wants []table.Want, used []bool) []table.Want                            // of these the columns
	Parts   func(c *ir.Context, wants []table.Want, used []bool, t *table.Table) []ir.Val // of the argument
	Columns func(*ir.Context, []ir.Type) ([]table.Want, error)                            // of results
	Of      func(c *ir.Context, types []ir.Type, parts []ir.Val) (*table.Table, error)    // results as one
	Parquet func(ctx context.Context, path string, f *os.File, memory int64, wants []table.Want) (*table.Table, error)
}

// Extensions of files with tables.
const (
	csvExt     = ".csv"
	parquetExt = ".parquet"
)

// A tableArg stands for an argument that is a table until it is known which of its columns the
// program reads.
type tableArg struct {
	path  string // - is standard input
	wants []table.Want
}

// isTable reports a file that -args takes as the one argument of a function.
func isTable(path string) bool {
	return slices.Contains([]string{csvExt, parquetExt}, strings.ToLower(filepath.Ext(path)))
}

// tableArgument makes an argument of a file.
func (j *job) tableArgument(t ir.Type, path string) (ir.Val, error) {
	if j.s.Program.Tables == nil {
		return ir.Val{}, fmt.Errorf("%s: this irc reads no tables", path)
	}
	wants, err := j.s.Program.Tables.Wants(j.g.Ctx, t)
	return ir.Val{Ref: &tableArg{path, wants}}, err
}

// hasTables reports that an argument is to be read from a file.
func (j *job) hasTables() bool {
	return slices.ContainsFunc(j.args, func(v ir.Val) bool { _, ok := v.Ref.(*tableArg); return ok })
}

// bindWhole reads the tables for a function that takes arrays of structs as they are.
func (j *job) bindWhole() ([]ir.Val, error) {
	f, err := j.m.Resolve(j.entry)
	if err != nil || !j.hasTables() {
		return j.args, err
	}
	out := slices.Clone(j.args)
	for i, v := range j.args {
		a, ok := v.Ref.(*tableArg)
		if !ok {
			continue
		}
		parts, err := j.readTable(a, f.Graph, f.Graph.Params(ir.Root)[i:i+1])
		if err != nil {
			return nil, err
		}
		vals, err := partwise.Unflatten(j.g.Ctx, j.in[i:i+1], parts)
		if err != nil {
			return nil, err
		}
		out[i] = vals[0]
	}
	return out, nil
}

// bindParts reads the tables for a function that takes the parts of its arguments, and takes
// the other arguments apart. back brings what was stored into those back.
func (j *job) bindParts() (flat []ir.Val, back func(), err error) {
	if !j.hasTables() {
		flat, back = partwise.Flatten(j.g.Ctx, j.in, j.args)
		return flat, back, nil
	}
	m, err := interp.New(j.down, interp.Options{})
	if err != nil {
		return nil, nil, err
	}
	f, err := m.Resolve(j.entry)
	if err != nil {
		return nil, nil, err
	}
	var undo []func()
	for i, v := range j.args {
		a, ok := v.Ref.(*tableArg)
		if !ok {
			vals, u := partwise.Flatten(j.g.Ctx, j.in[i:i+1], j.args[i:i+1])
			flat, undo = append(flat, vals...), append(undo, u)
			continue
		}
		parts, err := j.readTable(a, f.Graph, f.Graph.Params(ir.Root)[len(flat):])
		if err != nil {
			return nil, nil, err
		}
		flat = append(flat, parts...)
	}
	return flat, func() {
		for _, u := range undo {
			u()
		}
	}, nil
}

// readTable reads the columns of a table that a function reads of its parameter, and gives the
// parts of the array.
func (j *job) readTable(a *tableArg, g *ir.Graph, params []ir.Value) ([]ir.Val, error) {
	tables := j.s.Program.Tables
	used := tables.Used(g, a.wants, params)
	chosen := tables.Chosen(a.wants, used)
	t, err := j.s.table(j.s.Context, a.path, chosen)
	if err != nil {
		return nil, err
	}
	if j.s.Flag("v") {
		fmt.Fprintf(j.s.Stderr, "irc: %s: %d rows, %d of %d columns\n", a.path, t.Rows, len(chosen), len(a.wants))
	}
	return tables.Parts(j.g.Ctx, a.wants, used, t), nil
}

// table reads columns of a file.
func (r *reader) table(ctx context.Context, path string, wants []table.Want) (*table.Table, error) {
	if path == "-" {
		return table.ReadCSV(ctx, "<stdin>", r.Stdin, 0, wants)
	}
	f, err := os.Open(path)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return nil, r.cannotOpen(path, pe.Err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if strings.ToLower(filepath.Ext(path)) == parquetExt {
		if r.line.Program.Tables.Parquet == nil {
			return nil, fmt.Errorf("%s: this irc reads no Parquet files; write the table as CSV", path)
		}
		memory, _ := BytesOf(r.line.Str("mem-limit"))
		return r.line.Program.Tables.Parquet(ctx, path, f, memory, wants)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return table.ReadCSV(ctx, path, f, info.Size(), wants)
}

// writesTable reports that -o asks for CSV.
func (j *job) writesTable() bool { return strings.ToLower(filepath.Ext(j.s.outPath())) == csvExt }

// checkOutput refuses results that are no table where -o asks for one.
func (j *job) checkOutput() error {
	if !j.writesTable() {
		return nil
	}
	if j.s.Program.Tables == nil {
		return j.noTable(errors.New("this irc writes no tables"))
	}
	_, err := j.s.Program.Tables.Columns(j.g.Ctx, j.out)
	return j.noTable(err)
}

func (j *job) noTable(err error) error {
	if err == nil {
		return nil
	}
	return diag.Errorf(diag.Span{}, "%s: %v", j.s.outPath(), err).WithFix("another extension of -o gets JSON, or standard output without -o")
}

// printTable writes the results as CSV.
func (j *job) printTable(results []ir.Val) error {
	path, parts := j.s.outPath(), j.parts
	if parts == nil {
		parts, _ = partwise.Flatten(j.g.Ctx, j.out, results)
	}
	t, err := j.s.Program.Tables.Of(j.g.Ctx, j.out, parts)
	if err != nil {
		return j.noTable(err)
	}
	o := &output{to: &j.s.writer, path: path}
	defer o.drop()
	if err := table.WriteCSV(o, t); err != nil {
		return err
	}
	return o.commit()
}
