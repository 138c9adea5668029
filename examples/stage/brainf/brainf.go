// Package brainf compiles Brainf***: an interpreter whose place in the program is a static is a compiler.
package brainf

import (
	"fmt"

	"github.com/irc-lang/irc/tools/stage"
)

// Cells is how long the tape is.
const Cells = 1000

// Program is the function of a program: it reads in, writes out, and gives how many bytes it has written. What it reads
// beyond the end of in is 0. It stops if the head leaves the tape, or out is full.
func Program(source string) (func(s *stage.S, in, out stage.Slice[uint8]) stage.Dyn[int], error) {
	jump, err := match(source)
	if err != nil {
		return nil, err
	}
	return func(s *stage.S, in, out stage.Slice[uint8]) stage.Dyn[int] {
		tape := stage.Make[uint8](s, Cells)
		head, read, written := stage.Var[int](s, "head", 0), stage.Var[int](s, "read", 0), stage.Var[int](s, "written", 0)
		at := stage.NewStatic(s, "the place in the source", 0)
		for ; at.Get() < len(source); at.Set(at.Get() + 1) {
			switch source[at.Get()] {
			case '>':
				head.Set(head.Add(1))
			case '<':
				head.Set(head.Sub(1))
			case '+':
				tape.Set(head, tape.At(head).Add(1))
			case '-':
				tape.Set(head, tape.At(head).Sub(1))
			case '.':
				out.Set(written, tape.At(head))
				written.Set(written.Add(1))
			case ',':
				if s.If(read.Lt(in.Len())) {
					tape.Set(head, in.At(read))
					read.Set(read.Add(1))
				} else {
					tape.Set(head, 0)
				}
			case '[':
				if !s.While(tape.At(head).Ne(0)) {
					at.Set(jump[at.Get()])
				}
			case ']':
				at.Set(jump[at.Get()] - 1)
			}
		}
		return written
	}, nil
}

// match gives each bracket the place of its other one.
func match(source string) (map[int]int, error) {
	jump, open := map[int]int{}, []int{}
	for i, c := range source {
		switch {
		case c == '[':
			open = append(open, i)
		case c == ']' && len(open) == 0:
			return nil, fmt.Errorf("brainf: the ] at byte %d closes nothing", i)
		case c == ']':
			k := open[len(open)-1]
			open = open[:len(open)-1]
			jump[i], jump[k] = k, i
		}
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("brainf: the [ at byte %d is not closed", open[len(open)-1])
	}
	return jump, nil
}
