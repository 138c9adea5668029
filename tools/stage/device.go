package stage

import (
	"github.com/irc-lang/irc/ir/stage"
)

// A Thread is one of those that run a kernel.
type Thread struct {
	Block, ID Dyn[int] // the number of its block, and its own in the block
}

// Launch runs a kernel on the device: the body for each thread of each block. Blocks and threads are a Dyn[int] or an int; at most
// 1024 threads are in a block. The body may use what is around it but not set its variables; memory that it uses is the device's.
func Launch(s *S, name string, blocks, threads any, body func(t Thread)) {
	grid, size := arg[int](s, blocks, 1), arg[int](s, threads, 2)
	if s.own != nil {
		s.fail("Launch", "launch it after the kernel that runs", "a kernel launches another one")
	}
	s.own = map[any]bool{}
	defer func() { s.own = nil }()
	if s.run == nil {
		for b := range int64(grid.get()) {
			for t := range int64(size.get()) {
				body(Thread{Dyn[int]{s: s, now: uint64(b)}, Dyn[int]{s: s, now: uint64(t)}})
			}
		}
		return
	}
	s.run.Emit(stage.Op{Code: code{op: "kernel", name: name}, Args: []stage.Value{grid.value(), size.right()}})
	id := func(of string, sub int) Dyn[int] {
		return Dyn[int]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "id", k: i64, name: of}, Sub: sub})}
	}
	body(Thread{id("block", 1), id("thread", 2)})
	s.run.Emit(stage.Op{Code: code{op: "end"}, Sub: 3})
}

// MakeOnDevice allocates n elements of the device, a Dyn[int] or an int, which hold nothing. Kernels use them; the host copies to
// them and from them.
func MakeOnDevice[T Scalar](s *S, n any) Slice[T] {
	size := arg[int](s, n, 1)
	s.onHost("MakeOnDevice")
	if s.run == nil {
		return Slice[T]{s: s, device: true, data: make([]T, int64(size.get()))}
	}
	return Slice[T]{s: s, device: true, v: s.run.Emit(stage.Op{Code: code{op: "make", k: kindOf[T](), device: true}, Args: []stage.Value{size.value()}})}
}

// Copy copies n elements from place at on to the same places of another slice; the two do not overlap. One that is outside stops the program.
func Copy[T Scalar](to, from Slice[T], at, n any) {
	s := from.s
	first, size := arg[int](s, at, 1), arg[int](s, n, 2)
	s.onHost("Copy")
	if s.run == nil {
		i, j := int64(first.get()), int64(first.get()+size.get())
		copy(to.data[i:j], from.data[i:j])
		return
	}
	s.run.Emit(stage.Op{Code: code{op: "copy", k: kindOf[T](), device: to.device, from: from.device}, Args: []stage.Value{to.v, from.v, first.value(), size.right()}})
}

// onHost refuses what only the host does.
func (s *S) onHost(what string) {
	if s.own != nil {
		s.fail(what, "do it before the kernel, or after it", "a kernel neither allocates nor copies")
	}
}

// reach refuses an access of elements from the wrong side.
func (x Slice[T]) reach() {
	switch {
	case x.s.own != nil && !x.device:
		x.s.fail("an element", "stage.MakeOnDevice makes what a kernel uses, and stage.Copy moves it there", "a kernel uses memory of the host")
	case x.s.own == nil && x.device:
		x.s.fail("an element", "move it to memory of the host with stage.Copy", "the host uses memory of the device")
	}
}
