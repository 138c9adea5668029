package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// write puts a result where -o says, or on standard output.
func (s *session) write(data []byte) error {
	if path := s.str("o"); path != "" && path != "-" {
		if s.beside != "" {
			if err := writeFile(s.beside, []byte(s.besideText)); err != nil {
				return err
			}
		}
		return writeFile(path, data)
	}
	_, err := s.stdout.Write(data)
	return err
}

// writeFile writes a file completely or not at all: into a new one beside it,
// which then takes its name. A device or pipe is written to as it is.
func writeFile(path string, data []byte) (err error) {
	mode := os.FileMode(0o644)
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to // a link stays one
	}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return os.WriteFile(path, data, mode)
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("cannot write '%s': %w", path, err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
			err = fmt.Errorf("cannot write '%s': %w", path, err)
		}
	}()
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(mode)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// printIR writes a graph as text.
func (s *session) printIR(g *ir.Graph, src *diag.Source, generic bool) (string, error) {
	b, err := s.irBytes(g, src, generic)
	return string(b), err
}

// irBytes is printIR for what goes to a file: it may be large, and is not copied.
func (s *session) irBytes(g *ir.Graph, src *diag.Source, generic bool) ([]byte, error) {
	var b buffer
	err := text.Print(&b, g, text.PrintOptions{Generic: generic, DebugInfo: s.flag("print-debuginfo"), Source: src})
	return b.Bytes(), err
}
