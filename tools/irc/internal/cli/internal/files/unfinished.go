package files

import (
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Unfinished are the files and folders of a run that are no results, or none yet.
// When the run ends, whatever ends it, what is left of them is removed.
type Unfinished struct {
	mu   sync.Mutex
	over bool
	list []dropper
}

// A dropper is removed by Drop, unless it has become a result. It may be dropped
// twice.
type dropper interface{ Drop() }

// add keeps d in mind. A run that was given up while it went on makes no more files.
func (u *Unfinished) add(d dropper) error {
	if u == nil { // what is written when the run is over
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		d.Drop()
		return ErrDropped
	}
	u.list = append(u.list, d)
	return nil
}

func (u *Unfinished) Drop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = true
	for _, d := range u.list {
		d.Drop()
	}
	u.list = nil
}

// A TempDir is a folder that is never a result.
type TempDir string

func (d TempDir) Drop() { os.RemoveAll(string(d)) }

// TempDir makes a folder that does not outlive the run. One of a run that was killed is removed by the next: the folder of a
// run that goes on is locked.
func (u *Unfinished) TempDir(name string) (TempDir, error) {
	removeStale(filepath.Join(os.TempDir(), name+"*"))
	path, err := os.MkdirTemp("", name)
	if err != nil {
		return "", err
	}
	if lock := locked(path); lock != nil {
		err = u.add(held{lock})
	}
	if err == nil {
		err = u.add(TempDir(path))
	}
	return TempDir(path), err
}

// held is a lock, which ends with the run.
type held struct{ f *os.File }

func (h held) Drop() { h.f.Close() }

// locked is a folder with a lock that nobody else has, or nil.
func locked(path string) *os.File {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	if !lock(f) {
		f.Close()
		return nil
	}
	return f
}

// unlocked is how long a folder may be there without the lock of its run.
const unlocked = time.Minute

// removeStale removes folders that nobody has locked.
func removeStale(pattern string) {
	list, _ := filepath.Glob(pattern)
	for _, path := range list {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() || time.Since(info.ModTime()) < unlocked {
			continue
		}
		if f := locked(path); f != nil {
			os.RemoveAll(path)
			f.Close()
		}
	}
}
