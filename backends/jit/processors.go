//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
)

// helpLine is a line of LLVM's list of processors: "  znver3  - Select the znver3 processor."
var helpLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ +(\S+) +- Select the `) })

// Processors lists the names that Options.CPU may have for a target triple, or for
// this machine's if it is empty. LLVM has no call for it: it prints them to standard
// error for the name "help", so a child process asks.
func Processors(ctx context.Context, triple string) ([]string, error) {
	var text strings.Builder
	c, err := Start(ctx, ChildOptions{Stderr: &text})
	if err != nil {
		return nil, err
	}
	defer c.Close() // it has done its work
	_, err = c.Compile(ctx, "define void @f() {\n  ret void\n}\n", Options{Level: O0, CPU: "help", Triple: triple})
	var refused *CompileError // of another machine, or a processor without 64 bits, after the list
	if err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	var names []string
	list, _, _ := strings.Cut(text.String(), "Available features")
	for line := range strings.Lines(list) {
		if m := helpLine().FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		}
	}
	if len(names) == 0 {
		return nil, errors.New("jit: this libLLVM does not list its processors")
	}
	return names, nil
}

// sum adds 64 bytes of floats.
const sum = `define <16 x float> @sum(<16 x float> %a, <16 x float> %b) {
  %c = fadd <16 x float> %a, %b
  ret <16 x float> %c
}
`

// registers are those of vectors in assembly, the widest first, and their bytes.
var registers = []struct {
	text  string
	bytes int
}{{"%zmm", 64}, {"%ymm", 32}, {"%xmm", 16}, {"v0.4s", 16}}

// VectorBytes is how many bytes a register has in which LLVM adds vectors for Options'
// machine, a float's 4 if it has none of them.
func (l *Library) VectorBytes(o Options) (int, error) {
	o.Level = O1
	text, err := l.Emit(sum, Assembly, o)
	if err != nil {
		return 0, err
	}
	for _, r := range registers {
		if strings.Contains(string(text), r.text) {
			return r.bytes, nil
		}
	}
	return 4, nil
}
