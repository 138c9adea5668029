package regex

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
)

// A machine reads a text byte by byte. A state is a set of places in the program of a pattern; states are numbered as they are
// met, and the first is 0.
type machine struct {
	prog   *syntax.Prog
	takes  []class // by instruction
	states [][]place
	number map[string]int
}

// A place is before an instruction, or behind it in a character of which so many bytes are still to come.
type place struct{ pc, rest int }

// A class is what an instruction takes: ASCII characters, and all others or none of them.
type class struct {
	ascii [128]bool
	other bool
}

// An edge goes to a state with the bytes low to high.
type edge struct {
	low, high byte
	to        int
}

// dead is the state from which no text matches.
const dead = -1

// compile makes the machine of a pattern, in the syntax of package regexp.
func compile(pattern string) (*machine, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("regex: %w", err)
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, fmt.Errorf("regex: %w", err)
	}
	m := &machine{prog: prog, takes: make([]class, len(prog.Inst)), number: map[string]int{}}
	for pc := range prog.Inst {
		if m.takes[pc], err = classOf(&prog.Inst[pc]); err != nil {
			return nil, fmt.Errorf("regex: %q %w", pattern, err)
		}
	}
	m.state(m.follow(nil, prog.Start))
	return m, nil
}

// classOf is what an instruction takes.
func classOf(in *syntax.Inst) (c class, err error) {
	switch in.Op {
	case syntax.InstEmptyWidth:
		return c, fmt.Errorf("asks where it stands (^, $, \\b): a pattern is that of a whole text")
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		c.other = true
	case syntax.InstRune, syntax.InstRune1:
		covered := rune(0x7f)
		for i := 0; i < len(in.Rune); i += 2 {
			low, high := in.Rune[i], in.Rune[min(i+1, len(in.Rune)-1)]
			if low > covered+1 || len(in.Rune) == 1 && foldsAway(in) {
				return c, fmt.Errorf("tells characters beyond ASCII apart")
			}
			covered = max(covered, high)
		}
		if c.other = covered == unicode.MaxRune; !c.other && covered > 0x7f {
			return c, fmt.Errorf("tells characters beyond ASCII apart")
		}
	default:
		return c, nil
	}
	for r := range c.ascii {
		c.ascii[r] = in.Op == syntax.InstRuneAny || in.Op == syntax.InstRuneAnyNotNL && r != '\n' || len(in.Rune) > 0 && in.MatchRune(rune(r))
	}
	return c, nil
}

// foldsAway reports a letter that equals one beyond ASCII if case is ignored: k and the sign of the kelvin.
func foldsAway(in *syntax.Inst) bool {
	if syntax.Flags(in.Arg)&syntax.FoldCase == 0 {
		return false
	}
	for r := unicode.SimpleFold(in.Rune[0]); r != in.Rune[0]; r = unicode.SimpleFold(r) {
		if r > unicode.MaxASCII {
			return true
		}
	}
	return false
}

// follow adds the places where an instruction leads without a byte.
func (m *machine) follow(to []place, pc int) []place {
	if p := (place{pc: pc}); slices.Contains(to, p) {
		return to
	}
	to = append(to, place{pc: pc})
	switch in := &m.prog.Inst[pc]; in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return m.follow(m.follow(to, int(in.Out)), int(in.Arg))
	case syntax.InstCapture, syntax.InstNop:
		return m.follow(to, int(in.Out))
	}
	return to
}

// state is the number of a set of places.
func (m *machine) state(ps []place) int {
	ps = slices.DeleteFunc(ps, func(p place) bool { // what waits for a byte tells states apart
		op := m.prog.Inst[p.pc].Op
		return p.rest == 0 && (op == syntax.InstAlt || op == syntax.InstAltMatch || op == syntax.InstCapture || op == syntax.InstNop || op == syntax.InstFail)
	})
	if len(ps) == 0 {
		return dead
	}
	slices.SortFunc(ps, func(a, b place) int { return 8*(a.pc-b.pc) + a.rest - b.rest })
	key := fmt.Sprint(ps)
	n, ok := m.number[key]
	if !ok {
		n = len(m.states)
		m.number[key] = n
		m.states = append(m.states, ps)
	}
	return n
}

// accepts reports that the text may end in a state.
func (m *machine) accepts(state int) bool {
	return state != dead && slices.ContainsFunc(m.states[state], func(p place) bool { return p.rest == 0 && m.prog.Inst[p.pc].Op == syntax.InstMatch })
}

// edges are the ways out of a state that are not dead: those that most ASCII characters take first, as they are asked in order.
func (m *machine) edges(state int) (out []edge) {
	for c := range 256 {
		to := m.step(state, byte(c))
		if k := len(out) - 1; k >= 0 && out[k].to == to && int(out[k].high) == c-1 {
			out[k].high = byte(c)
		} else if to != dead {
			out = append(out, edge{byte(c), byte(c), to})
		}
	}
	slices.SortStableFunc(out, func(a, b edge) int { return b.ascii() - a.ascii() })
	return out
}

// ascii is how many ASCII characters take an edge.
func (e edge) ascii() int { return max(0, min(int(e.high), unicode.MaxASCII)-int(e.low)+1) }

// step is the state after a byte. Characters beyond ASCII are as many bytes as the first of them says.
func (m *machine) step(state int, c byte) int {
	var to []place
	for _, p := range m.states[state] {
		takes, out := m.takes[p.pc], int(m.prog.Inst[p.pc].Out)
		rest := -1 // bytes to come
		switch {
		case p.rest > 0:
			if c>>6 == 0b10 {
				rest = p.rest - 1
			}
		case c < 128:
			if takes.ascii[c] {
				rest = 0
			}
		case !takes.other:
		case c>>5 == 0b110:
			rest = 1
		case c>>4 == 0b1110:
			rest = 2
		case c>>3 == 0b11110:
			rest = 3
		}
		switch {
		case rest == 0:
			to = m.follow(to, out)
		case rest > 0 && !slices.Contains(to, place{p.pc, rest}):
			to = append(to, place{p.pc, rest})
		}
	}
	return m.state(to)
}
