// Package random runs random programs on every engine and through every pass,
// and compares what they give. `go test ./tests/random -programs=5000000` runs
// more of them; -seed starts elsewhere.
package random

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
)

// Outcome is what a program does: what it gives, leaves in memory and prints.
type Outcome struct {
	Results []string // poison is "poison"
	Memory  []string
	Printed []string
	Trap    string // why it stopped; "" if it ended
	Kept    int64  // blocks that it allocated and did not free (interp.Heap)
}

// String is the outcome as one text.
func (o Outcome) String() string {
	if o.Trap != "" {
		return "trap: " + o.Trap
	}
	return fmt.Sprintf("results %s, memory %s, printed %s, kept %d", strings.Join(o.Results, " "), strings.Join(o.Memory, " "), strings.Join(o.Printed, " "), o.Kept)
}

// Refines reports that o is allowed where want is what the program means: equal
// but for poison, after which anything may come, and with no more memory left
// behind: an allocation runs no more often than it is written, and a free goes only
// with its allocation. A program that traps means nothing.
func (o Outcome) Refines(want Outcome) bool {
	if want.Trap != "" {
		return true
	}
	return o.Trap == "" && o.Kept <= want.Kept && refines(o.Results, want.Results) && refines(o.Memory, want.Memory) && refines(o.Printed, want.Printed)
}

func refines(got, want []string) bool {
	return irtest.Refines(got, want, func(g, w string) bool { return g == w })
}

// Show spells a value so that equal values are equal texts; all NaNs are one.
func Show(v ir.Val, t ir.Type) string {
	if v.IsPoison() {
		return "poison"
	}
	if elementwise.Computable(t) && math.IsNaN(v.Float(t)) {
		return "nan"
	}
	return fmt.Sprintf("%#x", v.Bits)
}

// lanes shows the elements of a vector of four.
func lanes(v ir.Val, t ir.Type) []string {
	x, ok := v.Ref.(ir.Vector)
	if !ok {
		return slices.Repeat([]string{Show(v, t)}, 4)
	}
	var out []string
	for _, e := range x {
		out = append(out, Show(e, t))
	}
	return out
}

// scalar is the type of a name, or of the elements of "vector<4xT>".
func scalar(c *ir.Context, name string) ir.Type {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "vector<4x"), ">")
	if t, ok := map[string]ir.Type{"index": ir.Index, "bf16": ir.BF16, "f16": ir.F16, "f32": ir.F32, "f64": ir.F64}[name]; ok {
		return t
	}
	w, err := strconv.Atoi(strings.TrimPrefix(name, "i"))
	if err != nil {
		panic("random: no scalar type " + name)
	}
	return c.Int(w)
}

// Args makes the arguments of a program as values.
func Args(c *ir.Context, m *interp.Machine, p *irtest.Program) ([]ir.Val, error) {
	var out []ir.Val
	for _, a := range p.Args {
		if a.Elem == "" {
			out = append(out, ir.Val{Bits: a.Bits})
			continue
		}
		r, err := a.Memory(m, scalar(c, a.Elem))
		if err != nil {
			return nil, err
		}
		if a.Same > 0 {
			r.Buf = out[a.Same-1].Ref.(*interp.MemRef).Buf
		}
		out = append(out, ir.Val{Ref: r})
	}
	return out, nil
}

// Interpret runs a program's graph in the interpreter. An error is a failure of
// ours, not of the program.
func Interpret(g *ir.Graph, p *irtest.Program, opts interp.Options) (Outcome, error) {
	opts.Fuel = cmp.Or(opts.Fuel, 50_000_000)
	m, err := interp.New(g, opts)
	if err != nil {
		return Outcome{}, err
	}
	args, err := Args(g.Ctx, m, p)
	if err != nil {
		return Outcome{}, err
	}
	results, err := m.Call(p.Entry, args)
	if ir.IsTrap(err) {
		return Outcome{Trap: err.Error()}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	return outcome(g.Ctx, p, results, args, m.Printed(), m.Heap()), nil
}

func outcome(c *ir.Context, p *irtest.Program, results, args []ir.Val, printed []interp.Printed, heap interp.Heap) Outcome {
	o := Outcome{Kept: heap.Kept()}
	for i, v := range results {
		if strings.HasPrefix(p.Types[i], "memref") {
			o.Results = append(o.Results, Show(v, ir.NoType))
			continue
		}
		t := scalar(c, p.Types[i])
		if strings.HasPrefix(p.Types[i], "vector") {
			o.Results = append(o.Results, lanes(v, t)...)
			continue
		}
		o.Results = append(o.Results, Show(v, t))
	}
	for i, a := range p.Args {
		if len(a.Elems) == 0 {
			continue // a scalar, or the memory of another
		}
		r := args[i].Ref.(*interp.MemRef)
		for j := range r.Buf.Len() {
			o.Memory = append(o.Memory, Show(r.Buf.Load(j), r.Buf.Elem))
		}
	}
	for _, x := range printed {
		o.Printed = append(o.Printed, Show(x.Val, x.Type))
	}
	return o
}
