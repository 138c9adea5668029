package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/console"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// A writer puts the results of a run on standard output, or into files, which are complete or not touched at all.
type writer struct {
	line       *commandLine
	Stdout     io.Writer
	header     header
	unfinished files.Unfinished
}

// Write puts a result where -o says, or on standard output.
func (w *writer) Write(data []byte) error { return w.writeAll(w.line.outPath(), data) }

func (w *writer) writeAll(path string, blocks ...[]byte) error {
	if path != "" {
		return w.header.with(&w.unfinished, func() error { return files.WriteFile(&w.unfinished, path, blocks...) })
	}
	for _, b := range blocks {
		if _, err := w.Stdout.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// WriteFile writes a file completely or not at all.
func (w *writer) WriteFile(path string, data []byte) error {
	return files.WriteFile(&w.unfinished, path, data)
}

// WriteJSON writes a value as indented JSON.
func (w *writer) WriteJSON(v any) error {
	data, err := jsontext.Indented(v)
	if err != nil {
		return err
	}
	return w.Write(data)
}

// outPath is the file that -o names, or "".
func (l *commandLine) outPath() string {
	if path := l.Str("o"); path != "-" {
		return path
	}
	return ""
}

// Sizes of an output.
const (
	blockSize = 1 << 18 // bytes kept together
	inMemory  = 1 << 20 // bytes of a file that are kept until all is well
)

// An output collects what the driver prints, and is seen only when all went well:
// in blocks, which need not move as it grows, or, if it is large and for a file, in
// a new file.
type output struct {
	to     *writer
	path   string // "" for standard output
	blocks [][]byte
	size   int // of the blocks
	file   *files.File
	device bool // no new file can be made
}

func (o *output) Write(p []byte) (int, error) {
	if o.file != nil && o.size == 0 && len(p) >= blockSize/8 { // it is too large for memory anyway
		return o.file.Write(p)
	}
	if o.size+len(p) > inMemory && o.path != "" && !o.device {
		if err := o.spill(); err != nil {
			return 0, err
		}
		if o.file != nil {
			return o.file.Write(p)
		}
	}
	o.size += len(p)
	rest := p
	if n := len(o.blocks); n > 0 {
		last := &o.blocks[n-1]
		k := min(len(rest), cap(*last)-len(*last))
		*last, rest = append(*last, rest[:k]...), rest[k:]
	}
	if len(rest) > 0 {
		o.blocks = append(o.blocks, append(make([]byte, 0, max(blockSize, len(rest))), rest...))
	}
	return len(p), nil
}

// spill moves what there is to a new file.
func (o *output) spill() (err error) {
	if o.file == nil {
		if o.file, err = files.Create(&o.to.unfinished, o.path); err != nil {
			return err
		}
		o.device = o.file == nil
	}
	for _, b := range o.blocks {
		if o.file == nil {
			return nil
		}
		if _, err := o.file.Write(b); err != nil {
			return err
		}
	}
	o.blocks, o.size = nil, 0
	return nil
}

// commit shows what was collected.
func (o *output) commit() error {
	if o.file == nil {
		return o.to.writeAll(o.path, o.blocks...)
	}
	if err := o.spill(); err != nil {
		return err
	}
	return o.to.header.with(&o.to.unfinished, o.file.Commit)
}

// drop forgets it.
func (o *output) drop() {
	if o.file != nil {
		o.file.Drop()
	}
}

// PrintIR writes a graph as text.
func (s *Session) PrintIR(g *ir.Graph, src *diag.Source, generic bool) (string, error) {
	var b strings.Builder
	err := s.printTo(&b, g, src, generic)
	return b.String(), err
}

func (s *Session) printTo(w io.Writer, g *ir.Graph, src *diag.Source, generic bool) error {
	return text.Print(w, g, s.printOptions(src, generic))
}

func (l *commandLine) printOptions(src *diag.Source, generic bool) text.PrintOptions {
	o := text.PrintOptions{Generic: generic, DebugInfo: l.Flag("print-debuginfo"), Source: src, Elide: l.Str("elide-elementsattrs-if-larger") != ""}
	o.MaxElements, _ = strconv.ParseInt(l.Str("elide-elementsattrs-if-larger"), 10, 64)
	return o
}

// Lines tells the line of a place in a source.
func Lines(src *diag.Source) func(at ir.Loc) int {
	return func(at ir.Loc) int {
		line, _ := src.Position(int(at) - 1)
		return line
	}
}

// A stream is output that is seen as it is computed: on standard output at once, more or
// less; in the file of -o when it is complete.
type stream struct {
	to   *writer
	file *output // nil on standard output
	buf  []byte
	last time.Time // when it was written
}

// mostDelay is how long what was computed may wait for more.
const mostDelay = 50 * time.Millisecond

func (w *writer) newStream() *stream {
	st := &stream{to: w, last: time.Now()}
	if path := w.line.outPath(); path != "" {
		st.file = &output{to: w, path: path}
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
		_, err = st.to.Stdout.Write(st.buf)
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
func (r *reader) open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(r.Stdin), nil
	}
	f, err := os.Open(path)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return nil, r.cannotOpen(path, pe.Err)
	}
	return f, err
}

// Progress is the line of who is watching.
func (s *Session) Progress() *console.Progress { return s.progress }

// Print writes to standard output, whatever -o says.
func (w *writer) Print(data []byte) error { return w.writeAll("", data) }
