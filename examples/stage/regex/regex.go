// Package regex compiles regular expressions: a matcher of one pattern is a staged function. Its state is a
// static, so each state of the machine is a place in the program and each byte is read once.
package regex

import "github.com/irc-lang/irc/tools/stage"

// Count is the function that counts which of some texts match a pattern as a whole: text i is the bytes from start[i] to
// start[i+1], without the last one, which ends the line. The pattern is in the syntax of package regexp, without ^, $ and \b, and tells
// no characters beyond ASCII apart; texts are UTF-8.
func Count(pattern string) (func(s *stage.S, text stage.Slice[uint8], start stage.Slice[int]) stage.Dyn[int], error) {
	m, err := compile(pattern)
	if err != nil {
		return nil, err
	}
	return func(s *stage.S, text stage.Slice[uint8], start stage.Slice[int]) stage.Dyn[int] {
		found, line := stage.Var[int](s, "found", 0), stage.Var[int](s, "line", 0)
		lines := start.Len().Sub(1)
		for s.While(line.Lt(lines)) {
			from := start.At(line)
			line.Set(line.Add(1))
			if m.match(s, text, from, start.At(line).Sub(1)) {
				found.Set(found.Add(1))
			}
		}
		return found
	}, nil
}

// match stages the machine on the bytes from one place to another: what it returns is known on each path.
func (m *machine) match(s *stage.S, text stage.Slice[uint8], from, to stage.Dyn[int]) bool {
	i := stage.Var[int](s, "i", from)
	state := stage.NewStatic(s, "the state", 0)
	defer state.Done()
	for s.While(i.Lt(to)) {
		c := text.At(i)
		i.Set(i.Add(1))
		if state.Set(m.next(s, state.Get(), c)); state.Get() == dead {
			return false
		}
	}
	return m.accepts(state.Get())
}

// next stages which edge a byte takes out of a state.
func (m *machine) next(s *stage.S, state int, c stage.Dyn[uint8]) int {
	tried := stage.NewStatic(s, "the edge", 0)
	defer tried.Done()
	for i, e := range m.edges(state) {
		tried.Set(i)
		if s.If(c.Sub(e.low).Le(e.high - e.low)) {
			return e.to
		}
	}
	return dead
}
