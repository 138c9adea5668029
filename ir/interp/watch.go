package interp

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A Watcher sees what a program does to memory, and which iterations of parallel loops do it: Options.Watch.
// It is told of all accesses to memory that the machine allocates or is given, element by element, whatever
// op makes them. One that has methods Enter and Leave is told of regions, too: see regionWatcher.
type Watcher interface {
	// Begin and End enclose a parallel loop, which may stand in others; Iteration begins
	// its next iteration, with the values of its indices.
	Begin(o *Op)
	Iteration(at []ir.Val)
	End()
	// Access is of element i of a buffer.
	Access(b *Buffer, i int, write bool)
}

// A regionWatcher is a Watcher that has these methods, too: it is told of each run of a region by Machine.Run, also of
// the bodies of functions.
type regionWatcher interface {
	// Enter is called before a region runs, with the values of its parameters.
	Enter(code *Code, args []ir.Val)
	// Leave is called after it, with what it yields, unless it fails.
	Leave(code *Code, yields []ir.Val)
}

// An observer is told of accesses to a memory: a Watcher, or one of an op.
type observer interface {
	Access(b *Buffer, i int, write bool)
}

// Watcher sees accesses to memory, or is nil.
func (m *Machine) Watcher() Watcher { return m.opts.Watch }

// watch makes the machine's watcher see accesses to a memory.
func (m *Machine) watch(b *Buffer) {
	if w := m.opts.Watch; w != nil && b.watcher != w && !b.Freed {
		b.observe(w)
	}
}

// observe makes an observer, or nobody, see accesses. With one there is no fast way to the elements.
func (m *Memory) observe(w observer) {
	m.watcher = w
	m.update(m.whole.storage)
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

// A Violation is what a Watcher finds wrong with a run: two iterations of a parallel loop that access one element, say.
type Violation struct {
	What  string // in one sentence
	Fix   string // what to do about it, or ""
	Notes []Note // other places that have to do with it, in order
}

// A Note says more at another place.
type Note struct {
	Locs []ir.Loc // places in the program, as ir.Graph.LocsOf gives them
	Text string   // what is there, in one sentence
}

func (v *Violation) Error() string { return v.What }

// explain adds the notes of a violation to a diagnostic, and what to do about it.
func (v *Violation) explain(d *diag.Diagnostic, src *diag.Source) *diag.Diagnostic {
	for _, n := range v.Notes {
		at := diag.Span{}
		for _, l := range n.Locs {
			if src != nil && l != 0 && l&ir.LocAttr == 0 {
				at = src.At(int(l) - 1)
				break
			}
		}
		d = d.WithNote(at, "%s", n.Text)
	}
	if v.Fix != "" {
		d = d.WithFix("%s", v.Fix)
	}
	return d
}
