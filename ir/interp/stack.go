package interp

import "github.com/irc-lang/irc/ir"

// stack is where frames and scratch live. Values never move, so slices of them
// stay good while they are in use: it grows by chunks.
type stack struct {
	chunks [][]ir.Val
	chunk  int // the one in use
	used   int // of it
	first  int // size of the first chunk; 0 is firstChunk
}

type stackMark struct{ chunk, used int }

const firstChunk = 1 << 8

func (s *stack) mark() stackMark { return stackMark{s.chunk, s.used} }

func (s *stack) release(m stackMark) { s.chunk, s.used = m.chunk, m.used }

func (s *stack) take(n int) []ir.Val {
	if s.chunk < len(s.chunks) && s.used+n <= len(s.chunks[s.chunk]) {
		from := s.used
		s.used += n
		return s.chunks[s.chunk][from:s.used:s.used]
	}
	return s.next(n)
}

// next goes to the next chunk with room for n, made if there is none. Chunks
// after the one in use hold nothing, so one that is too small is replaced.
func (s *stack) next(n int) []ir.Val {
	if len(s.chunks) > 0 {
		s.chunk++
	}
	if s.chunk == len(s.chunks) {
		size := s.first
		if size == 0 {
			size = firstChunk
		}
		if s.chunk > 0 {
			size = min(2*len(s.chunks[s.chunk-1]), 1<<18)
		}
		s.chunks = append(s.chunks, make([]ir.Val, max(size, n)))
	} else if len(s.chunks[s.chunk]) < n {
		s.chunks[s.chunk] = make([]ir.Val, n)
	}
	s.used = n
	return s.chunks[s.chunk][:n:n]
}
