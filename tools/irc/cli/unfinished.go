package cli

import (
	"os"
	"sync"
)

// unfinished are the files and folders of a run that are no results, or none yet.
// When the run ends, whatever ends it, what is left of them is removed.
type unfinished struct {
	mu   sync.Mutex
	over bool
	list []dropper
}

// A dropper is removed by drop, unless it has become a result. It may be dropped
// twice.
type dropper interface{ drop() }

// add keeps d in mind. A run that was given up while it went on makes no more files.
func (u *unfinished) add(d dropper) error {
	if u == nil { // what is written when the run is over
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		d.drop()
		return errDropped
	}
	u.list = append(u.list, d)
	return nil
}

func (u *unfinished) drop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = true
	for _, d := range u.list {
		d.drop()
	}
	u.list = nil
}

// A tempDir is a folder that is never a result.
type tempDir string

func (d tempDir) drop() { os.RemoveAll(string(d)) }

// tempDir makes a folder that does not outlive the run.
func (s *session) tempDir(name string) (tempDir, error) {
	path, err := os.MkdirTemp("", name)
	if err != nil {
		return "", err
	}
	return tempDir(path), s.unfinished.add(tempDir(path))
}
