// Package console is the way to the person or the program that started a command: results that end when the command
// does, and a line of progress for who is watching.
package console

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// A Writer is a writer that can be closed: a command that was given up must
// not write after the end.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	closed bool
	failed error // the first error of writing
}

// NewWriter makes one that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

func (l *Writer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return len(p), nil
	}
	n, err := l.w.Write(p)
	if l.failed == nil {
		l.failed = err
	}
	return n, err
}

// Lost is an error of writing that nobody has looked at.
func (l *Writer) Lost() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// Close ends it: what is written after is lost, and told to be written.
func (l *Writer) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// IsTerminal reports whether someone is watching.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// A Progress is a line that the next one overwrites, on a terminal only. A nil one shows nothing.
type Progress struct{ w io.Writer }

// NewProgress makes one that is shown by w, or nil where nobody is watching terminal.
func NewProgress(w, terminal io.Writer) *Progress {
	if !IsTerminal(terminal) {
		return nil
	}
	return &Progress{w}
}

// Show replaces the line.
func (p *Progress) Show(format string, args ...any) {
	if p != nil {
		fmt.Fprintf(p.w, "\r\x1b[K"+format, args...)
	}
}

// End clears the line.
func (p *Progress) End() {
	if p != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
