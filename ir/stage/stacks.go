package stage

import (
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// stacks are the stacks of calls that ops were made under, numbered from 0.
type stacks struct {
	number map[string]int32
	pcs    [][]uintptr
	buffer []uintptr
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

// intern numbers a stack.
func (s *stacks) intern(pcs []uintptr) int32 {
	if len(pcs) == 0 {
		return -1
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pcs))), len(pcs)*int(unsafe.Sizeof(pcs[0])))
	if n, ok := s.number[string(bytes)]; ok {
		return n
	}
	if s.number == nil {
		s.number = map[string]int32{}
	}
	n := int32(len(s.pcs))
	s.number[string(bytes)] = n
	s.pcs = append(s.pcs, append([]uintptr(nil), pcs...))
	return n
}

// ends reports that a stack is another one and calls in that.
func (s *stacks) ends(stack, with int32) bool {
	if stack < 0 || with < 0 {
		return stack == with
	}
	a, b := s.pcs[stack], s.pcs[with]
	return len(a) >= len(b) && slices.Equal(a[len(a)-len(b):], b)
}

// A Frame is a call under way.
type Frame struct {
	Function, File string
	Line           int
}

// Frames are the calls under which a node was made, the innermost first, without those of packages whose paths are given.
func (s *Session) Frames(stack int32, without ...string) (out []Frame) {
	if stack < 0 || int(stack) >= len(s.stacks.pcs) {
		return nil
	}
	frames := runtime.CallersFrames(s.stacks.pcs[stack])
next:
	for {
		f, more := frames.Next()
		if f.Function != "" {
			for _, w := range append(without, "github.com/irc-lang/irc/ir/stage") {
				if strings.HasPrefix(f.Function, w+".") {
					if !more {
						return out
					}
					continue next
				}
			}
			out = append(out, Frame{f.Function, f.File, f.Line})
		}
		if !more {
			return out
		}
	}
}
