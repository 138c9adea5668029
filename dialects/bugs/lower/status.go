package lower

import (
	"fmt"
	gomath "math"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/prob/terms"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// finish stores the sums and gives the results: value, status, node. NaN stays inside:
// a sum that is NaN is -Inf, the status is StatusInvalid, and node is the position of
// the first such sum. Without one, infinities of both signs make -Inf.
//
// +Inf and -Inf within one sum are NaN too; the caller's reference evaluation tells
// that from an invalid parameter.
func (t *sums) finish(out ir.Value) []ir.Value {
	b := t.k.B
	k := t.k
	total := k.Num(0)
	for _, s := range t.model.slots {
		total = arith.Float(b, arith.Addf, terms.Loose, total, t.of[s])
	}
	if c, ok := b.Graph().Const(t.of[badIndices]); !ok || c.F64() != 0 {
		total = k.Valid(k.Cmp(arith.OLE, t.of[badIndices], k.Num(0)), total)
	}
	usual := func() []ir.Value {
		return []ir.Value{total, arith.ConstInt(b, ir.I32, ops.StatusOK), arith.ConstInt(b, ir.I32, -1)}
	}
	all := func() []ir.Value {
		for i, s := range t.model.slots {
			b.Op(memref.Store, t.of[s], out, b.Index(int64(i)))
		}
		v := scf.BuildIf(b, k.IsNumber(total), usual, func() []ir.Value { return t.withoutNaN(out) })
		return []ir.Value{b.Result(v, 0), b.Result(v, 1), b.Result(v, 2)}
	}
	if c, ok := b.Graph().Const(t.of[largeNodes]); ok && c.F64() == 0 {
		return all()
	}
	t.callsCareful = true
	v := scf.BuildIf(b, k.Positive(t.of[largeNodes]), t.callCareful, all)
	return []ir.Value{b.Result(v, 0), b.Result(v, 1), b.Result(v, 2)}
}

// fewSums is up to how many withoutNaN is straight-line code.
const fewSums = 32

// withoutNaN is finish where the total is NaN: a loop over the sums that are stored, of which there may be very many.
func (t *sums) withoutNaN(out ir.Value) []ir.Value {
	b, k := t.k.B, t.k
	none, nobody := k.Num(gomath.Inf(-1)), arith.ConstInt(b, ir.I32, -1)
	k.Split = fewSums * fewSums
	loop := k.Fold(b.Index(int64(len(t.model.slots))), []ir.Value{k.Num(0), nobody}, func(i ir.Value, acc []ir.Value) []ir.Value {
		x := b.Op(memref.Load, out, i)
		node := arith.Choose(b, arith.CmpI(b, arith.EQ, acc[1], nobody), arith.Cast(b, arith.IndexCast, i, ir.I32), acc[1])
		node = arith.Choose(b, k.Cmp(arith.UNO, x, x), node, acc[1])
		x = arith.Choose(b, k.IsNumber(x), x, none)
		b.Op(memref.Store, x, out, i)
		return []ir.Value{arith.Float(b, arith.Addf, terms.Loose, acc[0], x), node}
	})
	total, node := loop[0], loop[1]
	total = arith.Choose(b, k.IsNumber(total), total, none)
	bad := k.Or(arith.CmpI(b, arith.SGE, node, arith.ConstInt(b, ir.I32, 0)), k.Positive(t.of[badIndices]))
	return []ir.Value{total, arith.Choose(b, bad, arith.ConstInt(b, ir.I32, ops.StatusInvalid), arith.ConstInt(b, ir.I32, ops.StatusOK)), node}
}

// describe says, for C headers, what the arguments and results are.
func (m *model) describe() string {
	var b strings.Builder
	for i, p := range m.params {
		fmt.Fprintf(&b, "arg%d: %s\n", i, m.name(p))
	}
	n := len(m.params)
	fmt.Fprintf(&b, "arg%d: out: sums of the log density by node:", n)
	for i, s := range m.slots {
		kind := "not observed"
		if s.observed {
			kind = "observed"
		}
		fmt.Fprintf(&b, " %d %s (%s)", i, s.name, kind)
	}
	b.WriteString("\nresult0: the log density, never NaN\nresult1: 0, or 1: a parameter of a distribution is invalid\n" +
		"result2: the first sum in which one is, else -1; with status 1 an index is invalid then")
	return b.String()
}
