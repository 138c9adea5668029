package iteration

import (
	"github.com/irc-lang/irc/ir/interp"
)

// Stack is the stack memory of a machine or coroutine: what lives until the loop iteration or
// other scope that allocated it ends.
type Stack struct{ buffers []*interp.Buffer }

type stackKey struct{}

// StackOf returns the stack memory of what runs on a machine.
func StackOf(m *interp.Machine) *Stack {
	return m.Local(stackKey{}, func() any { return new(Stack) }).(*Stack)
}

// Push adds memory that ends with the innermost scope.
func (s *Stack) Push(b *interp.Buffer) { s.buffers = append(s.buffers, b) }

// Mark begins a scope and Release ends it.
func (s *Stack) Mark() int { return len(s.buffers) }

// Release frees what was pushed since the mark.
func (s *Stack) Release(m *interp.Machine, mark int) error {
	for len(s.buffers) > mark {
		b := s.buffers[len(s.buffers)-1]
		s.buffers = s.buffers[:len(s.buffers)-1]
		b.Static = false
		if err := m.Free(b); err != nil {
			return err
		}
	}
	return nil
}
