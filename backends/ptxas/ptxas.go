package ptxas

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// ErrMissing says that a tool is not there.
var ErrMissing = errors.New("is not found (make deps-ptx)")

// Usage is what a kernel takes. Memory is in bytes.
type Usage struct {
	Entry       string
	Registers   int // of a thread
	Shared      int // of a block, without what a launch adds
	Stack       int // of a thread
	SpillStores int // of a thread, and loads
	SpillLoads  int
}

func find(tool string) (string, error) {
	path, err := exec.LookPath(tool)
	if err != nil {
		return "", fmt.Errorf("%s %w", tool, ErrMissing)
	}
	return path, nil
}

// Assemble compiles PTX for an architecture ("sm_80") and says what each entry of it takes, in their order. The error matches ErrMissing
// without ptxas.
func Assemble(ctx context.Context, ptx, arch string) (cubin []byte, us []Usage, err error) {
	tool, err := find("ptxas")
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "irc-ptxas-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.cubin")
	if err := os.WriteFile(in, []byte(ptx), 0o600); err != nil {
		return nil, nil, err
	}
	said, err := exec.CommandContext(ctx, tool, "-v", "-arch="+arch, in, "-o", out).CombinedOutput()
	if err != nil {
		return nil, nil, fmt.Errorf("ptxas: %w: %s", err, strings.ReplaceAll(string(said), in, "the PTX"))
	}
	cubin, err = os.ReadFile(out)
	return cubin, usages(string(said)), err
}

var patterns = sync.OnceValue(func() (p struct{ entry, function, stack, used, shared *regexp.Regexp }) {
	p.entry = regexp.MustCompile(`Compiling entry function '([^']*)'`)
	p.function = regexp.MustCompile(`Function properties for (\S+)`)
	p.stack = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
	p.used = regexp.MustCompile(`Used (\d+) registers`)
	p.shared = regexp.MustCompile(`(\d+) bytes smem`)
	return p
})

// usages reads what ptxas -v says.
func usages(said string) (out []Usage) {
	p, own := patterns(), false // own: properties are of the entry, and not of what it calls
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	for line := range strings.Lines(said) {
		if m := p.entry.FindStringSubmatch(line); m != nil {
			out = append(out, Usage{Entry: m[1]})
		}
		if len(out) == 0 {
			continue
		}
		u := &out[len(out)-1]
		if m := p.function.FindStringSubmatch(line); m != nil {
			own = m[1] == u.Entry
		}
		if m := p.stack.FindStringSubmatch(line); m != nil && own {
			u.Stack, u.SpillStores, u.SpillLoads = number(m[1]), number(m[2]), number(m[3])
		}
		if m := p.used.FindStringSubmatch(line); m != nil {
			u.Registers = number(m[1])
			if m := p.shared.FindStringSubmatch(line); m != nil {
				u.Shared = number(m[1])
			}
		}
	}
	return out
}
