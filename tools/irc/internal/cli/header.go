package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
)

// A header is a second file, beside that of -o: the header of an object file, or its large constants. Its path is "" without one.
type header struct{ path, text string }

// beside notes a second file beside that of -o.
func (h *header) beside(path string) func(string, func(string) string) error {
	return func(ext string, text func(name string) string) error {
		if filepath.Ext(path) == ext {
			what, fix := "the header of the object file goes", "name it .o"
			if ext != ".h" {
				what, fix = "its large constants go", "give it another extension"
			}
			return Usagef(fix, "-o '%s' is where %s", path, what)
		}
		h.path = strings.TrimSuffix(path, filepath.Ext(path)) + ext
		if h.text = text(filepath.Base(h.path)); h.text == "" {
			h.path = ""
		}
		return h.isOurs()
	}
}

// isOurs refuses to write a header over a file that irc has not written and that the command line does not name: one that
// irc writes begins as this one does.
func (h *header) isOurs() error {
	mark, _, _ := strings.Cut(h.text, ".")
	if h.path == "" || !strings.HasPrefix(mark, "/*") {
		return nil
	}
	if info, err := os.Stat(h.path); err != nil || !info.Mode().IsRegular() {
		return nil // there is none, or writing says what is wrong
	}
	old, err := os.Open(h.path)
	if err != nil {
		return nil
	}
	defer old.Close()
	begin := make([]byte, len(mark))
	if _, err := io.ReadFull(old, begin); err == nil && string(begin) == mark {
		return nil
	}
	return Usagef("move it away, or name another file with -o", "'%s' is where the header of the object file goes, and irc has not written what is there", h.path)
}

// with writes a file and the header beside it, if there is one: both or
// neither. The header is complete before the file is written, and takes its name
// after.
func (h *header) with(left *files.Unfinished, write func() error) error {
	if h.path == "" {
		return write()
	}
	f, err := files.Create(left, h.path)
	if err != nil {
		return err
	}
	if f == nil {
		return &files.WriteError{Path: h.path, Err: errors.New("it is no regular file")}
	}
	defer f.Drop()
	if _, err := f.Write([]byte(h.text)); err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	return f.Commit()
}
