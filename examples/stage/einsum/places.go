package einsum

import "github.com/irc-lang/irc/tools/stage"

// The sides that a program runs on.
const host, device = 0, 1

// A Tensor has memory on the host and, if the device uses it, there.
type Tensor struct {
	e         *E
	name      string
	dims      []int
	kept      bool // the caller sees it
	mem       [2]stage.Slice[float32]
	at        *stage.Static[place]  // history
	away      *stage.Prophecy[bool] // does the device use it
	some, not *stage.Prophecy[bool] // does a path through the region read what the host has, and does a path not
}

// place is where the elements of a tensor are.
type place struct {
	on   [2]bool // the sides
	open bool    // in a region that has not used it yet
}

// Run stages a program.
func Run(s *stage.S, f func(e *E)) {
	e := &E{S: s}
	f(e)
	for i := range stage.Range(s, len(e.tensors)) {
		if e.tensors[i].kept {
			e.tensors[i].move(host)
		}
	}
}

// New makes a tensor of zeros.
func (e *E) New(name string, dims ...int) *Tensor {
	size := 1
	for _, n := range dims {
		size *= n
	}
	t := e.Over(name, stage.Make[float32](e.S, size), dims...)
	t.kept = false
	return t
}

// Over makes a tensor of memory that the caller has.
func (e *E) Over(name string, memory stage.Slice[float32], dims ...int) *Tensor {
	t := &Tensor{e: e, name: name, dims: dims, kept: true, at: stage.NewStatic(e.S, "where "+name+" is", place{on: [2]bool{host: true}})}
	t.away = stage.NewProphecy(e.S, "does the device use "+name, stage.Either)
	if t.mem[host] = memory; t.away.Get() {
		t.mem[device] = stage.MakeOnDevice[float32](e.S, memory.Len())
	}
	e.tensors = append(e.tensors, t)
	return t
}

// OnDevice runs assignments on the device. What each path through f reads moves there first, what some paths read when they do.
// It stays there until the host uses it.
func (e *E) OnDevice(f func()) {
	for i := range stage.Range(e.S, len(e.tensors)) {
		t := e.tensors[i]
		t.some = stage.NewProphecy(e.S, "does a path read "+t.name, stage.Either)
		t.not = stage.NewProphecy(e.S, "does a path not read "+t.name, stage.Either)
		if !t.at.Get().on[device] {
			if t.some.Get() && !t.not.Get() {
				t.move(device)
			}
			t.at.Set(place{t.at.Get().on, true})
		}
	}
	e.side = device
	f()
	e.side = host
	for _, t := range e.tensors {
		t.uses(t.not)
	}
}

// uses tells the region what a path does first with a tensor.
func (t *Tensor) uses(what *stage.Prophecy[bool]) {
	if p := t.at.Get(); p.open {
		t.at.Set(place{on: p.on})
		what.Require(true)
	}
}

// reads has the elements where they are read.
func (t *Tensor) reads() {
	if t.e.side == device {
		stage.Together(t.e.S, func() {
			t.away.Require(true)
			t.uses(t.some)
		})
	}
	t.move(t.e.side)
}

// writes notes that all elements are set, or some after reads.
func (t *Tensor) writes() {
	if t.e.side == device {
		t.away.Require(true)
		t.uses(t.not)
	}
	t.at.Set(place{on: [2]bool{t.e.side == host, t.e.side == device}})
}

// move moves the elements to a side that does not have them.
func (t *Tensor) move(to int) {
	if !t.at.Get().on[to] {
		stage.Copy(t.mem[to], t.mem[1-to], 0, t.mem[host].Len())
		t.at.Set(place{on: [2]bool{true, true}})
	}
}
