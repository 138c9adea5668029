package prove

import (
	"context"
	"errors"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/prove/circuit"
	"github.com/irc-lang/irc/passes/rule"
)

// An AtWidth is what is known of a rule at one width.
type AtWidth struct {
	Width int
	Answer
	// Program has, of a rule that is wrong, @src and @tgt with the constants of the counterexample.
	Program *ir.Graph
}

// Rewrite decides a rule at some widths. It stops at the first at which the rule is wrong. Widths at which the rule does not
// exist, or applies to nothing, are left out. The error is a *rule.WidthError if all of them are, a diagnostic if the rule is on
// floats, and else as that of Refines; the answers before it count.
func Rewrite(ctx context.Context, c *ir.Context, r *rule.Rule, widths []int, budget Budget) (out []AtWidth, err error) {
	var none error
	for _, w := range widths {
		m, err := r.Build(c, w, nil, nil)
		if width := (*rule.WidthError)(nil); errors.As(err, &width) {
			none = err
			continue
		}
		if err != nil {
			return out, err
		}
		at := AtWidth{Width: w}
		var match *rule.Match
		q := Question{Src: Function{Body: Bodies(m)["src"]}, Tgt: Function{Body: Bodies(m)["tgt"]}, Budget: budget,
			Arguments: func(c *circuit.Circuit) ([]Value, circuit.Bit) {
				match = r.Match(c, w)
				return arguments(r, match), match.Where
			}}
		a, err := Refines(ctx, q)
		if u := (*Undecided)(nil); errors.As(err, &u) {
			u.Width = w
		}
		if err != nil {
			return out, err
		}
		if at.Answer = *a; a.Counter != nil {
			at.Program, err = counterProgram(c, r, w, a.Counter)
			return append(out, at), err
		}
		if !applies(ctx, match) {
			none = r.NeverAt(w)
			continue
		}
		out = append(out, at)
	}
	if len(out) == 0 {
		return nil, none
	}
	return out, nil
}

// conditionConflicts bounds the search for constants on which a condition holds: most conditions hold on many.
const conditionConflicts = 1000

// applies reports a rule whose condition holds on some constants, or for all that is known may do so.
func applies(ctx context.Context, m *rule.Match) bool {
	_, found, err := m.Solve(ctx, m.Where, conditionConflicts)
	return found || err != nil
}

// arguments are the operands of a rule, which may be poison, then the constants and what is computed of them.
func arguments(r *rule.Rule, m *rule.Match) (out []Value) {
	for i := range r.Operands {
		out = append(out, Value{{m.Inputs(r.OperandWidth(i, m.Width)), m.Input()}})
	}
	for _, list := range [][][]circuit.Bit{m.Constants, m.Computed} {
		for _, bits := range list {
			out = append(out, Value{{bits, circuit.False}})
		}
	}
	return out
}

// counterProgram is a rule with the constants of a counterexample, of which the operands stay as arguments.
func counterProgram(c *ir.Context, r *rule.Rule, w int, x *Counterexample) (*ir.Graph, error) {
	numbers := func(from, n int) []uint64 {
		out := make([]uint64, n)
		for i := range out {
			out[i] = x.Args[from+i][0].Bits
		}
		return out
	}
	n := len(r.Operands)
	m, err := r.Build(c, w, numbers(n, len(r.Constants)), numbers(n+len(r.Constants), len(r.Computed)))
	x.Args = x.Args[:n+len(r.Constants)]
	for _, name := range slices.Concat(r.Operands, r.Constants) {
		x.Names = append(x.Names, name.Text)
	}
	return m, err
}
