//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/ebitengine/purego"
)

// versions are the LLVM releases looked for, best first: the one irc is tested
// with, newer ones, older ones.
var versions = []int{19, 20, 21, 22, 23, 18, 17, 16}

const oldest = 16

// loaded is the library in use, for handlers that LLVM calls.
var loaded atomic.Pointer[Library]

var find = sync.OnceValues(func() (*Library, error) {
	l, err := load(os.Getenv("IRC_LIBLLVM"))
	if err == nil {
		loaded.Store(l)
		l.c.InstallFatalErrorHandler(handlers().fatal)
	}
	return l, err
})

// Find loads libLLVM once per process. IRC_LIBLLVM, when set, is the only
// place looked at; else the dynamic linker's path and the folders where
// distributions put it. The error matches ErrMissing.
func Find() (*Library, error) { return find() }

// load tries one path, or all candidates when path is empty.
func load(path string) (*Library, error) {
	if path != "" {
		l, err := open(path)
		if err != nil {
			return nil, &MissingError{Reason: fmt.Sprintf("IRC_LIBLLVM=%s cannot be used: %v", path, err), Attempted: []string{path}}
		}
		return l, nil
	}
	names := candidates()
	reason := "none of the usual names and folders has one"
	for _, name := range names {
		l, err := open(name)
		if err == nil {
			return l, nil
		}
		if filepath.IsAbs(name) { // it exists, so the reason is worth telling
			reason = fmt.Sprintf("%s cannot be used: %v", name, err)
		}
	}
	return nil, &MissingError{Reason: reason, Attempted: names}
}

// candidates lists sonames, then files, both in the order of versions. From
// 18.1 on the soname is libLLVM.so.M.1 and libLLVM-M.so is a link to it that
// only some packages have.
func candidates() []string {
	var names, files []string
	for _, v := range versions {
		names = append(names, fmt.Sprintf("libLLVM-%d.so", v), fmt.Sprintf("libLLVM.so.%d.1", v),
			fmt.Sprintf("libLLVM-%d.so.1", v))
		for _, dir := range []string{"/usr/lib/llvm-%d/lib", "/usr/lib/llvm%d/lib", "/usr/lib64/llvm%d/lib", "/usr/lib64/llvm%d/lib64", "/usr/lib/llvm/%d/lib64", "/usr/local/llvm-%d/lib"} {
			dir = fmt.Sprintf(dir, v)
			for _, pattern := range []string{"libLLVM.so*", "libLLVM-*.so*"} {
				found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is well-formed
				files = append(files, found...)
			}
		}
	}
	names = append(names, files...)
	return append(names, "libLLVM.so")
}

// open loads one library and checks that it is usable. A library that is not is
// left loaded: unloading runs destructors that were never tested to run early.
func open(name string) (*Library, error) {
	handle, err := purego.Dlopen(name, purego.RTLD_LAZY|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	l := &Library{c: new(capi), handle: handle, path: name}
	if err := l.c.bind(handle); err != nil {
		return nil, err
	}
	l.c.GetVersion(&l.version[0], &l.version[1], &l.version[2])
	if l.version[0] < oldest {
		return nil, fmt.Errorf("it is version %s, and irc needs %d or newer", l.Version(), oldest)
	}
	l.setOptions()
	if err := l.initTarget(hostArch()); err != nil {
		return nil, err
	}
	// The names native code may use must be visible to the whole process; libLLVM
	// itself is not.
	for _, lib := range []string{"libc.so.6", "libm.so.6"} {
		if _, err := purego.Dlopen(lib, purego.RTLD_NOW|purego.RTLD_GLOBAL); err != nil {
			return nil, fmt.Errorf("%s cannot be loaded: %w", lib, err)
		}
	}
	return l, nil
}
