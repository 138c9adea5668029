package target

import (
	"fmt"
	"slices"
)

// named are the targets that have a name, but for the host.
var named = []Target{
	{Name: "interpreter", Kind: Interpreter, Vector: 8, Cores: 1, Caches: []int64{32 << 10}, Library: libm, Costs: usual},
	{Name: "nvptx64", Kind: GPU, Triple: "nvptx64-nvidia-cuda", CPU: "sm_80", Vector: 8, Cores: 108, Costs: usual},
}

// Names lists the targets that Named knows.
func names() []string {
	out := []string{Host().Name}
	for _, t := range named {
		out = append(out, t.Name)
	}
	return out
}

// C is any machine with a compiler of C and its library.
func C() *Target { return compiler("c") }

// FreestandingC is any machine with a compiler of C alone.
func FreestandingC() *Target {
	out := C()
	out.Library = ""
	return out
}

// Go is any machine with the go tool.
func Go() *Target { return compiler("go") }

func compiler(language string) *Target {
	out := named[0]
	out.Name, out.Kind = language, Compiler
	return &out
}

// Interp is the interpreter.
func Interp() *Target { return &named[0] }

// Named is the target of a name, for a processor by LLVM's name if cpu is not "".
func Named(name, cpu string) (*Target, error) {
	t := Host()
	if name != t.Name {
		i := slices.IndexFunc(named, func(t Target) bool { return t.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no target %q", name)
		}
		t = &named[i]
	}
	out := *t
	if cpu != "" {
		out.CPU = cpu
	}
	return &out, nil
}
