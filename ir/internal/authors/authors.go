// Package authors tells the functions of irc's own, by their packages, from those of whoever writes dialects and passes.
// It finds the line of an author in the stack of a panic. It is asked where something went wrong, not on the way.
package authors

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

type here struct{}

// module is the path of irc's module, with a slash behind it.
var module = sync.OnceValue(func() string {
	return strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "ir/internal/authors")
})

// mainModule is the path of the module that the program is of, "" if that is not known.
var mainModule = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Path
	}
	return ""
})

// Package is the path of the package of a function, of whose name the runtime has it.
func Package(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + name
}

// Outside reports that a package is neither irc's own nor one of Go's. The tests of irc as a whole count as outsiders.
func Outside(pkg string) bool {
	if rest, own := strings.CutPrefix(pkg, module()); own {
		return strings.HasPrefix(rest, "tests/")
	}
	first, _, _ := strings.Cut(pkg, "/")
	main := mainModule()
	return pkg == "main" || strings.Contains(first, ".") || main != "" && (pkg == main || strings.HasPrefix(pkg, main+"/"))
}

// Name is the name of a function that a value holds, "" if it holds none.
func Name(f reflect.Value) string {
	if f.Kind() != reflect.Func || f.IsNil() {
		return ""
	}
	if fn := runtime.FuncForPC(f.Pointer()); fn != nil {
		return fn.Name()
	}
	return ""
}

// Theirs reports a hook, a function, that is not irc's.
func Theirs(hook any) bool { return Outside(Package(Name(reflect.ValueOf(hook)))) }

// Place is the file and line where a hook stands.
func Place(hook any) string {
	f := reflect.ValueOf(hook)
	if Name(f) == "" {
		return "an unknown place"
	}
	return FileLine(runtime.FuncForPC(f.Pointer()).FileLine(f.Pointer()))
}

// A Site is a place in Go: the calls under way there, innermost first.
type Site [4]uintptr

// Here is where the function that asks was called.
func Here() (s Site) {
	runtime.Callers(3, s[:])
	return s
}

// Theirs is the innermost line outside of irc of a site; ok is false if there is none.
func (s Site) Theirs() (at string, ok bool) {
	frames := runtime.CallersFrames(s[:])
	for more := s[0] != 0; more; {
		var f runtime.Frame
		if f, more = frames.Next(); Outside(Package(f.Function)) {
			return FileLine(f.File, f.Line), true
		}
	}
	return "an unknown place", false
}

// FileLine is "dir/f.go:12", with the name from the working directory where that is shorter.
func FileLine(file string, line int) string {
	if dir, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(dir, file); err == nil && len(short) < len(file) {
			file = short
		}
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Fault tells panics that say that something went wrong from those that end a recursion with a value of a type of irc's
// (see package unwind): of irc's own types only those of package ir are errors.
func Fault(recovered any) bool {
	t := reflect.TypeOf(recovered)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	pkg, own := strings.CutPrefix(t.PkgPath(), module())
	return !own || pkg == "ir" || strings.HasPrefix(pkg, "tests/")
}

// Said is what was panicked with, for a message.
func Said(recovered any) string { return strings.TrimPrefix(fmt.Sprint(recovered), "runtime error: ") }

// Callers is the stack of the goroutine, of as many calls as a hook makes before its caller is reached.
func Callers() []uintptr {
	pcs := make([]uintptr, 1000)
	return pcs[:runtime.Callers(2, pcs)]
}

// A Stack is the calls under way where a panic was raised, innermost first.
type Stack []runtime.Frame

// Raised is the stack of the panic under way, up to a function that stop names; whole if none does. It is asked by what was
// deferred. Again says that a function which again names raised it again, so that it was looked at there.
func Raised(pcs []uintptr, stop, again func(function string) bool) (s Stack, was bool) {
	frames := runtime.CallersFrames(pcs)
	raised := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic": // the last one was the first: what was deferred may have raised it again
			raised, s = true, s[:0]
		case raised && again(f.Function):
			return nil, true
		case raised && stop(f.Function):
			return s, false
		case raised:
			s = append(s, f)
		}
		if !more {
			return s, false
		}
	}
}

// Hook is the outermost call of a function outside of irc: what irc has called. ok is false if there is none.
func (s Stack) Hook() (f runtime.Frame, ok bool) {
	for _, x := range s {
		if Outside(Package(x.Function)) {
			f, ok = x, true
		}
	}
	return f, ok
}

// Line is the line of the innermost call of the package that the hook is of: where its author looks first.
func (s Stack) Line(hook runtime.Frame) string {
	for _, x := range s {
		if Package(x.Function) == Package(hook.Function) {
			return FileLine(x.File, x.Line)
		}
	}
	return FileLine(hook.File, hook.Line)
}

// Mistaken is the innermost call of a function outside of irc, if irc has called that, or one that called it, as a hook: from
// package ir and those in it, where passes and commands begin, or from the kit of tests. Libraries that irc stands on are called from elsewhere.
func (s Stack) Mistaken() (f runtime.Frame, ok bool) {
	for i, x := range s {
		pkg := Package(x.Function)
		if Outside(pkg) {
			if f.Function == "" {
				f = x
			}
			ok = ok || i+1 == len(s)
			continue
		}
		if in, own := strings.CutPrefix(pkg, module()); own && f.Function != "" {
			return f, in == "ir" || strings.HasPrefix(in, "ir/") || in == "passes/pass" || in == "tools/irc/internal/cli" || in == "tools/irctest"
		}
	}
	return f, ok
}
