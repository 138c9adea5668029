package code

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// writeShared writes a shared object. That of a model shows the functions of its library, and no others.
func writeShared(w io.Writer, o output) error {
	if !o.isELF() {
		return emit.Usagef("use -emit=obj, and that system's linker", "-emit=so writes ELF, and -target=%s has other files", o.Target.Name)
	}
	link, err := findLinker(o.Target)
	if err != nil {
		return err
	}
	m, err := o.module(true, true)
	if err != nil {
		return err
	}
	o.shared = true
	text, err := o.extended(m)
	if err != nil {
		return err
	}
	var object bytes.Buffer
	if err := o.object(&object, m, text); err != nil {
		return err
	}
	return link.shared(o.Context, w, object.Bytes(), o.Extend != nil)
}

// Linkers are the names of those that make shared objects, the first that is there: C compilers know where libraries are.
var Linkers = []string{"cc", "gcc", "clang", "ld.lld", "ld.lld-19"}

// A linker is a program that links.
type linker struct {
	path  string
	cc    bool // a C compiler that calls one
	cross bool // for another machine, whose libraries are not here
}

func findLinker(t *target.Target) (*linker, error) {
	here := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	cross := t.Triple != "" && !strings.HasPrefix(t.Triple, here+"-")
	for _, name := range Linkers {
		cc := !strings.HasPrefix(name, "ld.")
		if cc && cross {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return &linker{path, cc, cross}, nil
		}
	}
	what := "cc or ld.lld"
	if cross {
		what = "ld.lld, which links for other machines,"
	}
	return nil, emit.Usagef("install one (Debian: apt-get install lld-19), or write an object file with -emit=obj and link it with -shared",
		"-emit=so wants a linker, and %s is not on PATH (`irc doctor` looks for them)", what)
}

// shownByModels is what the shared object of a model shows.
const shownByModels = "{ global: bs_*; local: *; };\n"

// shared writes the shared object of an object file.
func (l *linker) shared(ctx context.Context, w io.Writer, object []byte, ofModel bool) error {
	dir, err := os.MkdirTemp("", "irc-so-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	in, out, shown := filepath.Join(dir, "in.o"), filepath.Join(dir, "out.so"), filepath.Join(dir, "shown")
	if err := os.WriteFile(in, object, 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(shown, []byte(shownByModels), 0o600); err != nil {
		return err
	}
	var own []string // what linkers take, and C compilers hand on
	if ofModel {
		own = append(own, "--version-script="+shown)
	}
	args := []string{"-shared", "-o", out, in}
	if l.cc {
		for _, x := range own {
			args = append(args, "-Wl,"+x)
		}
		args = append(args, "-lm")
	} else {
		args = append(append(args, own...), l.libraries()...)
	}
	if said, err := exec.CommandContext(ctx, l.path, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", l.path, err, bytes.TrimSpace(said))
	}
	data, err := os.ReadFile(out)
	return write(w, string(data), err)
}

// libraries are the C library and that of mathematics, where they are: whoever loads the file mostly has them.
func (l *linker) libraries() (out []string) {
	if l.cross {
		return nil
	}
	for _, name := range []string{"libm.so.6", "libc.so.6"} {
		for _, pattern := range []string{"/lib/*-linux-gnu/", "/usr/lib/*-linux-gnu/", "/lib64/", "/usr/lib64/", "/usr/lib/"} {
			if found, _ := filepath.Glob(pattern + name); len(found) > 0 {
				out = append(out, found[0])
				break
			}
		}
	}
	return out
}
