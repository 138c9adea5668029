package ptxas

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// A Loop is what a thread does in a round of one.
type Loop struct {
	Instructions int
	FMAs         int // fused multiply-adds, those of a tensor core by thread
}

var sassPatterns = sync.OnceValue(func() (p struct{ label, branch, op *regexp.Regexp }) {
	p.label = regexp.MustCompile(`^(\.L_\w+):`)
	p.branch = regexp.MustCompile("BRA `\\((\\.L_\\w+)\\)")
	p.op = regexp.MustCompile(`^\s*/\*[0-9a-f]{4,}\*/\s+(.*);`)
	return p
})

// Disassemble is the text of machine code. The error matches ErrMissing without nvdisasm.
func Disassemble(ctx context.Context, cubin []byte) (string, error) {
	tool, err := find("nvdisasm")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "irc-ptxas-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "k.cubin")
	if err := os.WriteFile(file, cubin, 0o600); err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, tool, "-c", file).Output()
	return string(out), err
}

// HotLoop finds the loop of the most multiply-adds in what Disassemble gives; it has none if there is no such loop.
func HotLoop(sass string) (best Loop) {
	p := sassPatterns()
	lines := strings.Split(sass, "\n")
	labels := map[string]int{}
	for i, line := range lines {
		if m := p.label.FindStringSubmatch(line); m != nil {
			labels[m[1]] = i
		}
		m := p.branch.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		from, ok := labels[m[1]]
		if !ok {
			continue // forward
		}
		var loop Loop
		for _, l := range lines[from : i+1] {
			if op := p.op.FindStringSubmatch(l); op != nil {
				loop.Instructions++
				loop.FMAs += fmas(op[1])
			}
		}
		if loop.FMAs > best.FMAs {
			best = loop
		}
	}
	return best
}

// Spills counts the instructions that store to the memory of a thread, or load from there.
func Spills(sass string) (n int) {
	for _, op := range []string{"STL", "LDL"} {
		n += strings.Count(sass, " "+op+" ") + strings.Count(sass, " "+op+".")
	}
	return n
}

// fmas is how many fused multiply-adds an instruction is for a thread.
func fmas(op string) int {
	switch {
	case strings.Contains(op, "FFMA") || strings.Contains(op, "DFMA"):
		return 1
	case strings.Contains(op, "HMMA.16816"):
		return 16 * 8 * 16 / 32
	case strings.Contains(op, "HMMA.1688"):
		return 16 * 8 * 8 / 32
	}
	return 0
}
