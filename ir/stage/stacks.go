package stage

import (
	"iter"
	"runtime"
	"slices"
	"strings"
)

// stacks are the stacks of calls that ops were made under, numbered from 0: each is a call within another one, so that stacks share what they
// have in common, however deep they are.
type stacks struct {
	calls  []call
	number map[call]int32
	buffer []uintptr

	last []uintptr // the stack that was numbered last, the innermost call first
	path []int32   // the numbers of what it is in, and its own, the outermost first
}

// A call is the innermost one of a stack, and the number of the stack around it, -1 if there is none.
type call struct {
	pc    uintptr
	outer int32
}

// maxDepth bounds the calls under way: more is a recursion without end.
const maxDepth = 1 << 12

// callers reads the stack of the goroutine that runs, as far as there are frames.
func (s *stacks) callers(skip int) []uintptr {
	if s.buffer == nil {
		s.buffer = make([]uintptr, 64)
	}
	for {
		n := runtime.Callers(skip+1, s.buffer)
		if n < len(s.buffer) || n > maxDepth {
			return s.buffer[:n]
		}
		s.buffer = make([]uintptr, 2*len(s.buffer))
	}
}

// intern numbers a stack. It looks up those calls alone that the stack before had not.
func (s *stacks) intern(pcs []uintptr) int32 {
	if len(pcs) == 0 {
		return -1
	}
	same, n, m := 0, len(pcs), len(s.last)
	for same < min(n, m) && pcs[n-1-same] == s.last[m-1-same] {
		same++
	}
	if s.number == nil {
		s.number = map[call]int32{}
	}
	s.path = s.path[:same]
	for k := same; k < n; k++ {
		c := call{pcs[n-1-k], -1}
		if k > 0 {
			c.outer = s.path[k-1]
		}
		at, ok := s.number[c]
		if !ok {
			at = int32(len(s.calls))
			s.number[c], s.calls = at, append(s.calls, c)
		}
		s.path = append(s.path, at)
	}
	s.last = append(s.last[:0], pcs...)
	return s.path[n-1]
}

// ends reports that a stack is another one and calls in that.
func (s *stacks) ends(stack, with int32) bool {
	for stack > with { // what is around a stack has a lower number
		stack = s.calls[stack].outer
	}
	return stack == with
}

// A goroutine is the one that a run's function runs on: what is under way there is told apart from what called the function.
type goroutine struct {
	all    *stacks
	frames int     // of the stack that are not the function's
	bottom uintptr // the last of the function's
}

// stack is the number of the calls under way.
func (t *goroutine) stack() int32 {
	pcs := t.all.callers(2)
	if len(pcs) <= t.frames || len(pcs) >= maxDepth {
		return t.all.intern(pcs[:min(len(pcs), 64)])
	}
	return t.all.intern(pcs[:len(pcs)-t.frames])
}

// own is the number of the function's calls among those under way.
func (t *goroutine) own(pcs []uintptr) (int32, error) {
	n := len(pcs) - t.frames
	switch {
	case len(pcs) >= maxDepth:
		return -1, wrong(t.all.intern(pcs[:64]), -1, "stage a recursion as a function of the program", "%d calls are under way: a recursion does not end", len(pcs))
	case n > 0 && t.bottom == 0:
		t.bottom = pcs[n-1]
	case n <= 0 || pcs[n-1] != t.bottom:
		return -1, wrong(t.all.intern(pcs), -1, "stage on the goroutine that calls the function", "an op is staged on another goroutine")
	}
	return t.all.intern(pcs[:n]), nil
}

// A Frame is a call under way.
type Frame struct {
	Function, File string
	Line           int
}

// Frames are the calls under which a node was made, the innermost first, without those of packages whose paths are given.
func (s *Session) Frames(stack int32, without ...string) iter.Seq[Frame] {
	prefixes := []string{"github.com/irc-lang/irc/ir/stage."}
	for _, w := range without {
		prefixes = append(prefixes, w+".")
	}
	return func(yield func(Frame) bool) {
		for stack >= 0 && int(stack) < len(s.stacks.calls) {
			var pcs [16]uintptr // most who ask want the first
			n := 0
			for ; n < len(pcs) && stack >= 0; n++ {
				pcs[n], stack = s.stacks.calls[stack].pc, s.stacks.calls[stack].outer
			}
			frames := runtime.CallersFrames(pcs[:n])
			for more := true; more; {
				var f runtime.Frame
				f, more = frames.Next()
				other := func(p string) bool { return strings.HasPrefix(f.Function, p) }
				if f.Function != "" && !slices.ContainsFunc(prefixes, other) && !yield(Frame{f.Function, f.File, f.Line}) {
					return
				}
			}
		}
	}
}
