package interp

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A Watcher sees what iterations of parallel loops do to memory: Options.Watch. It is
// told of all accesses to memory that the machine allocates or is given, element by element, whatever
// op makes them.
type Watcher interface {
	// Begin and End enclose a parallel loop, which may stand in others; Iteration begins
	// its next iteration, with the values of its indices.
	Begin(o *Op)
	Iteration(at []ir.Val)
	End()
	// Access is of element i of a buffer.
	Access(b *Buffer, i int, write bool)
}

// Watcher is that of parallel loops, or nil.
func (m *Machine) Watcher() Watcher { return m.opts.Watch }

// watch makes the machine's watcher see accesses to a memory. There is no fast way to its
// elements then.
func (m *Machine) watch(b *Buffer) {
	if w := m.opts.Watch; w != nil && b.watcher != w && !b.Freed {
		b.watcher = w
		b.update(b.storage)
	}
}

// watchAll is watch of memrefs among values.
func (m *Machine) watchAll(vs []ir.Val) {
	for _, v := range vs {
		if r, ok := v.Ref.(*MemRef); ok {
			m.watch(r.Buf)
		}
	}
}

// Span is where element i lies in the memory, and how many bytes it has; of memory that
// has no bytes the number of the element, and 1.
func (b *Buffer) Span(i int) (at, n int) {
	if b.kind == values {
		return i, 1
	}
	return b.base + i*b.size, b.size
}

// A Race is two iterations of a parallel loop that access one element, of which one writes: a
// program whose result depends on which comes first.
type Race struct {
	What  string // in one sentence
	Notes []Note
}

// A Note says more at another place.
type Note struct {
	Locs []ir.Loc
	Text string
}

func (r *Race) Error() string { return r.What }

// note adds the notes of a race to a diagnostic.
func (r *Race) note(d *diag.Diagnostic, src *diag.Source) *diag.Diagnostic {
	for _, n := range r.Notes {
		at := diag.Span{}
		for _, l := range n.Locs {
			if src != nil && l != 0 && l&ir.LocAttr == 0 {
				at = src.At(int(l) - 1)
				break
			}
		}
		d = d.WithNote(at, "%s", n.Text)
	}
	return d
}
