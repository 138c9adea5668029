package files

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// A File is written beside the one whose place it takes when it is complete.
type File struct {
	path string // that one, links followed

	mu   sync.Mutex // a run that is given up drops it while it is written
	f    *os.File
	name string // it has until then; "" where it needs none, so that nothing is left of a run that is killed
	done bool
}

// Create begins a new file, which is among left until it is complete. What is no
// regular file (a device, a pipe) gives nil: it has no place to be taken.
func Create(left *Unfinished, path string) (*File, error) {
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
	n := &File{path: path}
	var err error
	if n.f, err = nameless(filepath.Dir(path)); err != nil {
		if n.f, err = os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*"); err != nil {
			return nil, &WriteError{path, err}
		}
		n.name = n.f.Name()
	}
	if err := left.add(n); err != nil {
		return nil, err
	}
	if err := n.f.Chmod(mode); err != nil {
		n.Drop()
		return nil, &WriteError{path, err}
	}
	return n, nil
}

// A WriteError says that a result cannot be written.
type WriteError struct {
	Path string
	Err  error
}

func (e *WriteError) Error() string { return fmt.Sprintf("cannot write '%s': %v", e.Path, e.Err) }

func (e *WriteError) Unwrap() error { return e.Err }

var ErrDropped = errors.New("the run was given up")

func (n *File) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done {
		return 0, ErrDropped
	}
	c, err := n.f.Write(p)
	if err != nil {
		err = &WriteError{n.path, err}
	}
	return c, err
}

// Commit puts the file in its place.
func (n *File) Commit() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done {
		return ErrDropped
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
		err = &WriteError{n.path, err}
	}
	return err
}

// named gives the file a name beside that which it gets.
func (n *File) named() (err error) {
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

func (n *File) remove() {
	if n.name != "" {
		os.Remove(n.name)
	}
}

// Drop removes the file unless it has its place.
func (n *File) Drop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.done {
		n.done = true
		n.f.Close()
		n.remove()
	}
}

// WriteFile writes a file completely or not at all.
func WriteFile(left *Unfinished, path string, blocks ...[]byte) error {
	n, err := Create(left, path)
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
	defer n.Drop()
	for _, b := range blocks {
		if _, err := n.Write(b); err != nil {
			return err
		}
	}
	return n.Commit()
}
