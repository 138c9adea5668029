package table

import (
	"bytes"
	"io"
)

const (
	pieceSize = 1 << 20 // bytes that are parsed together
	maxRecord = 1 << 26 // bytes of a record; what is longer lacks a quote
)

// A splitter cuts a CSV file into pieces of whole records.
//
// An end of line ends a record if an even number of quotes stands before it in the record:
// quotes in a cell come in pairs. Of a file whose quotes are wrong the pieces up to the
// first wrong one are right, and that one is in the last of them.
type splitter struct {
	r     io.Reader
	rest  []byte // read, and not in a piece
	ended bool   // all is read
	err   error
	size  int // of a piece
	limit int // of a record
}

func newSplitter(r io.Reader, size int64) *splitter {
	s := &splitter{r: r, size: pieceSize, limit: maxRecord}
	if size > 0 {
		s.size = int(min(pieceSize, size+1))
	}
	return s
}

// next is the next piece, which is the caller's; io.EOF says that there is none. The last one
// may end in an open quote, and so does one that is longer than a record may be.
func (s *splitter) next() ([]byte, error) {
	buf := append(make([]byte, 0, max(s.size, 2*len(s.rest))), s.rest...)
	for seen := 0; ; {
		for !s.ended && len(buf) < cap(buf) {
			n, err := s.r.Read(buf[len(buf):cap(buf)])
			buf = buf[:len(buf)+n]
			if err != nil {
				s.ended = true
				if err != io.EOF {
					s.err = err
				}
			}
		}
		if s.err != nil {
			return nil, s.err
		}
		if s.ended {
			s.rest = nil
			if len(buf) == 0 {
				return nil, io.EOF
			}
			return buf, nil
		}
		if end := lastRecord(buf, seen); end > 0 {
			s.rest = buf[end:]
			return buf[:end:end], nil
		}
		if len(buf) >= s.limit {
			s.rest, s.ended = nil, true
			return buf, nil
		}
		seen = len(buf)
		buf = append(make([]byte, 0, 2*cap(buf)), buf...)
	}
}

// lastRecord is where the last whole record of a text ends, which begins with a record; 0 if it
// has none. None ends before seen.
func lastRecord(text []byte, seen int) int {
	before := bytes.Count(text, quote) // quotes before end
	for end := len(text); end > seen; {
		i := bytes.LastIndexByte(text[:end], '\n')
		if i < 0 {
			return 0
		}
		before -= bytes.Count(text[i:end], quote)
		if before%2 == 0 {
			return i + 1
		}
		end = i
	}
	return 0
}

var quote = []byte{'"'}
