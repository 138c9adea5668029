package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// A newFile is written beside the one whose place it takes when it is complete.
type newFile struct {
	path string // that one, links followed

	mu   sync.Mutex // a run that is given up drops it while it is written
	f    *os.File
	name string // it has until then; "" where it needs none, so that nothing is left of a run that is killed
	done bool
}

// create begins a new file, which is among left until it is complete. What is no
// regular file (a device, a pipe) gives nil: it has no place to be taken.
func create(left *unfinished, path string) (*newFile, error) {
	mode := os.FileMode(0o644)
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to // a link stays one
	}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return nil, nil
		}
		mode = info.Mode().Perm()
	}
	n := &newFile{path: path}
	var err error
	if n.f, err = nameless(filepath.Dir(path)); err != nil {
		if n.f, err = os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*"); err != nil {
			return nil, &writeError{path, err}
		}
		n.name = n.f.Name()
	}
	if err := left.add(n); err != nil {
		return nil, err
	}
	if err := n.f.Chmod(mode); err != nil {
		n.drop()
		return nil, &writeError{path, err}
	}
	return n, nil
}

// A writeError says that a result cannot be written.
type writeError struct {
	path string
	err  error
}

func (e *writeError) Error() string { return fmt.Sprintf("cannot write '%s': %v", e.path, e.err) }

func (e *writeError) Unwrap() error { return e.err }

var errDropped = errors.New("the run was given up")

func (n *newFile) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done {
		return 0, errDropped
	}
	c, err := n.f.Write(p)
	if err != nil {
		err = &writeError{n.path, err}
	}
	return c, err
}

// commit puts the file in its place.
func (n *newFile) commit() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done {
		return errDropped
	}
	n.done = true
	err := n.named()
	if late := n.f.Close(); err == nil {
		err = late
	}
	if err == nil {
		err = os.Rename(n.name, n.path)
	}
	if err != nil {
		n.remove()
		err = &writeError{n.path, err}
	}
	return err
}

// named gives the file a name beside that which it gets.
func (n *newFile) named() (err error) {
	if n.name != "" {
		return nil
	}
	for range 100 {
		name := filepath.Join(filepath.Dir(n.path), fmt.Sprintf(".%s-%x", filepath.Base(n.path), rand.Uint64()))
		if err = giveName(n.f, name); err == nil {
			n.name = name
			return nil
		}
		if !errors.Is(err, os.ErrExist) {
			break
		}
	}
	return err
}

func (n *newFile) remove() {
	if n.name != "" {
		os.Remove(n.name)
	}
}

// drop removes the file unless it has its place.
func (n *newFile) drop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.done {
		n.done = true
		n.f.Close()
		n.remove()
	}
}

// writeFile writes a file completely or not at all.
func writeFile(left *unfinished, path string, blocks ...[]byte) error {
	n, err := create(left, path)
	if err != nil {
		return err
	}
	if n == nil {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		for _, b := range blocks {
			if _, err := f.Write(b); err != nil {
				f.Close()
				return err
			}
		}
		return f.Close()
	}
	defer n.drop()
	for _, b := range blocks {
		if _, err := n.Write(b); err != nil {
			return err
		}
	}
	return n.commit()
}

// WriteFile writes a file completely or not at all.
func (s *Session) WriteFile(path string, data []byte) error {
	return writeFile(&s.unfinished, path, data)
}
