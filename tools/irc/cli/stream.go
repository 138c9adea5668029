package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// A stream is output that is seen as it is computed: on standard output at once, more or
// less; in the file of -o when it is complete.
type stream struct {
	s    *Session
	file *output // nil on standard output
	buf  []byte
	last time.Time // when it was written
}

// mostDelay is how long what was computed may wait for more.
const mostDelay = 50 * time.Millisecond

func (s *Session) newStream() *stream {
	st := &stream{s: s, last: time.Now()}
	if path := s.outPath(); path != "" {
		st.file = &output{s: s, path: path}
	}
	return st
}

func (st *stream) Write(p []byte) (int, error) {
	if st.file != nil {
		return st.file.Write(p)
	}
	if st.buf = append(st.buf, p...); len(st.buf) >= mostHeld {
		return len(p), st.flush()
	}
	return len(p), nil
}

// mostHeld is how much waits for what belongs to it.
const mostHeld = 1 << 20

// due writes what has waited, or is much.
func (st *stream) due() error {
	if len(st.buf) < blockSize && time.Since(st.last) < mostDelay {
		return nil
	}
	return st.flush()
}

func (st *stream) flush() (err error) {
	if len(st.buf) > 0 {
		_, err = st.s.Stdout.Write(st.buf)
	}
	st.buf, st.last = st.buf[:0], time.Now()
	return err
}

// end writes the rest; a file gets its name only if all went well.
func (st *stream) end(well bool) error {
	if st.file != nil {
		if !well {
			return nil
		}
		return st.file.commit()
	}
	return st.flush()
}

// drop forgets a file that has no name yet.
func (st *stream) drop() {
	if st.file != nil {
		st.file.drop()
	}
}

// open is read for input that is taken as it comes.
func (s *Session) open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(s.Stdin), nil
	}
	f, err := os.Open(path)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return nil, s.cannotOpen(path, pe.Err)
	}
	return f, err
}
