package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A Measured is what a nest took, with those of which it shares loops since a pass made one of both.
type Measured struct {
	Seconds float64 `json:"seconds"`
	Calls   int64   `json:"calls"`
	with    []*Nest
}

// Took notes what a loop took that is made of what is written at some places. A loop that is made of several nests
// makes one of them.
func (l *Loops) Took(function string, at []ir.Loc, seconds float64, calls int64) {
	var of []*Nest
	for _, loc := range at {
		line, _ := l.src.Position(int(loc) - 1)
		if n := l.nest(line); n != nil && !slices.Contains(of, n) && (n.Function == function || function == "") {
			of = append(of, n)
		}
	}
	if len(of) == 0 { // a loop of a function that was put in the place of its call, or one that nobody wrote
		l.others = append(l.others, Measured{Seconds: seconds, Calls: calls})
		return
	}
	m := &Measured{}
	for _, n := range of {
		if n.Measured != nil && n.Measured != m {
			old := n.Measured
			m.Seconds, m.Calls = m.Seconds+old.Seconds, max(m.Calls, old.Calls)
			for _, x := range old.with {
				if !slices.Contains(m.with, x) {
					m.with = append(m.with, x)
				}
				x.Measured = m
			}
		}
		if n.Measured = m; !slices.Contains(m.with, n) {
			m.with = append(m.with, n)
		}
	}
	m.Seconds, m.Calls = m.Seconds+seconds, max(m.Calls, calls)
}

// Times is the table of what was measured, of a time in all; nests that took most come first.
func (l *Loops) Times(all float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "irc: %s in all\n", Duration(all))
	var list []*Measured
	for _, n := range l.Nests {
		if n.Measured != nil && !slices.Contains(list, n.Measured) {
			list = append(list, n.Measured)
		}
	}
	slices.SortStableFunc(list, func(x, y *Measured) int {
		if x.Seconds > y.Seconds {
			return -1
		}
		return 1
	})
	for _, m := range list {
		where := lists.Map(m.with, func(n *Nest) int { return n.Line })
		calls := "1 call"
		if m.Calls != 1 {
			calls = fmt.Sprintf("%d calls", m.Calls)
		}
		fmt.Fprintf(&b, "  @%s, %s: %s, %.1f %%, %s%s\n", m.with[0].Function, lines(where), Duration(m.Seconds), 100*m.Seconds/all, calls, m.beside())
	}
	other := Measured{}
	for _, m := range l.others {
		other.Seconds += m.Seconds
	}
	if other.Seconds > 0 {
		fmt.Fprintf(&b, "  loops that are written elsewhere: %s, %.1f %%\n", Duration(other.Seconds), 100*other.Seconds/all)
	}
	return b.String()
}

// Bound is that of all calls: operations add up, and what moves is at least what one of the nests moves. False if it is not
// known.
func (m *Measured) Bound() (seconds, operations float64, by string, ok bool) {
	move := 0.0
	for _, n := range m.with {
		if n.Bound == nil {
			return 0, 0, "", false
		}
		seconds += n.Bound.Compute
		operations += n.Bound.Operations
	}
	by = "operations"
	for _, n := range m.with {
		if n.Bound.Move > max(seconds, move) {
			by = n.Bound.By
		}
		move = max(move, n.Bound.Move)
	}
	return float64(m.Calls) * max(seconds, move), float64(m.Calls) * operations, by, true
}

func (m *Measured) beside() string {
	bound, operations, by, ok := m.Bound()
	if !ok || bound == 0 {
		return ""
	}
	return fmt.Sprintf("; %.3g billion operations a second, %.0f %% of the bound of %s (%s)", operations/m.Seconds/1e9, 100*bound/m.Seconds, Duration(bound), by)
}
