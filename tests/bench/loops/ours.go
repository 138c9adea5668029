package loops

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
)

// Parse reads our program of a query, in root/tests/bench/loops/queries.
func Parse(root string, q Query) (*ir.Graph, error) {
	name := q.Program + ".mlir"
	src, err := os.ReadFile(filepath.Join(root, "tests/bench/loops/queries", name))
	if err != nil {
		return nil, err
	}
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(name, string(src)), text.Options{})
	return g, list.Err()
}

// A Program is a query of ours that is ready to run, with a table bound to it: its
// columns are what the collections of its arguments become in the lowering pipeline.
type Program struct {
	*run.Binding
	ctx     context.Context
	results []ir.Type
}

// Bind binds the columns that a query reads to its program.
func Bind(ctx context.Context, c *ir.Context, p run.Program, q Query, t *Table) (*Program, error) {
	_, results, err := p.Signature(q.Program)
	if err != nil {
		return nil, err
	}
	b, err := run.Bind(ctx, p, Arguments(c, q, t)...)
	return &Program{b, ctx, results}, err
}

// Arguments are the columns that a query reads, as memory of programs.
func Arguments(c *ir.Context, q Query, t *Table) (out []ir.Val) {
	for _, name := range q.Columns {
		for _, p := range (Column{name, t.Column(name)}).parts() {
			out = append(out, memory(c, p))
		}
	}
	return out
}

// elements are the types of what is in the files of columns.
var elements = map[string]ir.Type{"i64": ir.I64, "i32": ir.I32, "i8": ir.I8, "offsets": ir.Index, "bytes": ir.I8}

// memory is numbers as a memref, which shares those that are f64 and copies others.
func memory(c *ir.Context, p part) ir.Val {
	var buf *interp.Buffer
	if x, ok := p.data.([]float64); ok {
		buf = interp.Floats(x)
	} else {
		elem := elements[p.ext]
		size, _ := c.MemBytes(elem)
		buf = interp.NewBuffer(c, elem, binary.Size(p.data)/int(size), false)
		if _, err := binary.Encode(buf.Bytes(), binary.LittleEndian, p.data); err != nil {
			panic(err) // numbers have a fixed size
		}
	}
	buf.Static = true
	return (&interp.MemRef{Buf: buf, Sizes: []int64{int64(buf.Len())}, Strides: []int64{1}}).Val()
}

// Run runs the query so often and gives the seconds of the fastest run, without the way
// of its results into this process; they go to the file unless that is "".
func (p *Program) Run(q Query, runs int, file string) (float64, error) {
	best := math.Inf(1)
	for k := range runs {
		out, err := p.Batch(p.ctx, []run.BoundCall{{Name: q.Program}})
		if err == nil {
			err = out[0].Err
		}
		if err != nil {
			return 0, err
		}
		best = min(best, out[0].Wall.Seconds())
		if k == runs-1 && file != "" {
			err = writeFile(file, Collect(p.results, out[0].Values).Data)
		}
		if err != nil {
			return 0, err
		}
	}
	return best, nil
}

// Collect makes rows of what a lowered program returns: numbers, and memory for each
// column, of strings offsets and bytes.
func Collect(types []ir.Type, vals []ir.Val) Result {
	var columns [][]float64
	for i := 0; i < len(vals); i++ {
		r, ok := vals[i].Ref.(*interp.MemRef)
		switch {
		case !ok:
			columns = append(columns, []float64{number(types[i], vals[i])})
		case r.Buf.Elem == ir.Index:
			i++
			columns = append(columns, names(r, vals[i].Ref.(*interp.MemRef)))
		default:
			columns = append(columns, numbers(r))
		}
	}
	out := Result{Width: len(columns)}
	for i := range columns[0] {
		for _, c := range columns {
			out.Data = append(out.Data, c[i])
		}
	}
	return out
}

// number is a value as a number.
func number(t ir.Type, v ir.Val) float64 {
	switch t {
	case ir.F64:
		return v.F64()
	case ir.I8:
		return float64(int8(v.Bits))
	}
	return float64(int64(v.Bits))
}

func numbers(r *interp.MemRef) []float64 {
	out := make([]float64, r.Sizes[0])
	for i := range out {
		out[i] = number(r.Buf.Elem, r.Buf.Load(int(r.Offset+int64(i)*r.Strides[0])))
	}
	return out
}

// names are the numbers in strings, behind their first two letters.
func names(offsets, text *interp.MemRef) []float64 {
	ends := numbers(offsets)
	out := make([]float64, len(ends)-1)
	for i := range out {
		for k := int64(ends[i]) + 2; k < int64(ends[i+1]); k++ {
			out[i] = 10*out[i] + number(ir.I8, text.Buf.Load(int(text.Offset+k*text.Strides[0]))) - '0'
		}
	}
	return out
}
