package target

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// Kind says what runs the code.
type Kind string

// The kinds of targets.
const (
	Interpreter Kind = "interpreter"
	CPU         Kind = "cpu"
	GPU         Kind = "gpu"
	Compiler    Kind = "compiler" // another one, which is given a program in the language that is the target's name
)

// Libm is the Library of a target that has C's mathematical functions.
const Libm = "libm"

// A Target is a machine. It is a value that is not changed once it is made.
type Target struct {
	Name     string   `json:"name"`
	Kind     Kind     `json:"kind"`
	Triple   string   `json:"triple"`       // LLVM's name of the machine; "" is this one
	CPU      string   `json:"cpu"`          // LLVM's name of the processor; "" is this machine's
	Features []string `json:"features"`     // more of LLVM's, such as "+avx2" and "-fma"
	Vector   int      `json:"vector_bytes"` // of a register
	Cores    int      `json:"cores"`
	Caches   []int64  `json:"cache_bytes"`  // of one core's data, from the innermost
	Memory   int64    `json:"memory_bytes"` // 0 is not known
	Library  string   `json:"library"`      // Libm, or "" for none
	Pipeline string   `json:"pipeline"`     // the way down to it but for its end; "" is that of its kind
	Costs    Costs    `json:"costs"`
	Once     bool     `json:"-"` // what runs on it runs once: what makes it faster takes longer than it saves

	// What one core does at most; 0, or nothing, is not known. See Measured of package probe.
	PeakFlops float64   `json:"peak_flops"` // multiplications and additions of f64, a second
	Bandwidth []float64 `json:"bandwidth"`  // bytes that come from behind each cache, a second
}

// Lanes is how many elements of a number of bytes a vector register holds, at least 1.
func (t *Target) Lanes(bytes int) int { return max(1, t.Vector/bytes) }

// Masks reports that each instruction on vectors takes a mask at no cost, as those on registers of 64
// bytes do (AVX-512).
func (t *Target) Masks() bool { return t.Vector >= 64 }

// TableEntries is how many f64 fit into the innermost cache: what a table may have.
func (t *Target) TableEntries() int {
	if len(t.Caches) == 0 {
		return t.Costs.MinTable
	}
	return int(t.Caches[0] / 8)
}

// Schedule are the options of a schedule for the target.
func (t *Target) Schedule() ir.ScheduleOptions {
	return ir.ScheduleOptions{Weight: t.Weight, Rare: t.Costs.Rare}
}

// Weight says how often region i of an op runs for each run of the op: an
// ir.ScheduleOptions.Weight.
func (t *Target) Weight(owner ir.Node, i int) float64 {
	switch owner.Region(i).Kind() {
	case ir.Branch:
		return t.Costs.Branch
	case ir.Loop, ir.Lambda:
		return t.Costs.Trips
	}
	return 1
}

// Check reports the first number that describes no machine.
func (t *Target) Check() error {
	for _, p := range append(t.Costs.all(), cost{"vector_bytes", float64(t.Vector)}, cost{"cores", float64(t.Cores)}) {
		if !(p.value > 0 && p.value < 1e15) {
			return fmt.Errorf("%s is %v, which is no positive number", p.key, p.value)
		}
	}
	switch {
	case t.Kind != Interpreter && t.Kind != CPU && t.Kind != GPU:
		return fmt.Errorf("kind is %q, which is none of %s, %s and %s", t.Kind, Interpreter, CPU, GPU)
	case t.Vector&(t.Vector-1) != 0:
		return fmt.Errorf("vector_bytes is %d, which is no power of 2", t.Vector)
	case t.Costs.Rare > 1:
		return fmt.Errorf("costs.rare is %v, but a region runs at most as often as what is around it", t.Costs.Rare)
	case t.Costs.Branch > 1:
		return fmt.Errorf("costs.branch is %v, but a branch runs at most as often as its op", t.Costs.Branch)
	case t.Library != "" && t.Library != Libm:
		return fmt.Errorf("library is %q, which is neither %q nor empty", t.Library, Libm)
	case t.Memory < 0:
		return fmt.Errorf("memory_bytes is %d", t.Memory)
	}
	for i, c := range t.Caches {
		if c <= 0 || i > 0 && c < t.Caches[i-1] {
			return fmt.Errorf("cache_bytes is %v: the sizes are positive, and ascend", t.Caches)
		}
	}
	if t.PeakFlops != 0 && !(t.PeakFlops > 0 && t.PeakFlops < 1e18) {
		return fmt.Errorf("peak_flops is %v, which is no positive number", t.PeakFlops)
	}
	if n := len(t.Bandwidth); n > 0 && n != len(t.Caches) {
		return fmt.Errorf("bandwidth has %d numbers and cache_bytes %d: there is one from behind each cache", n, len(t.Caches))
	}
	for _, b := range t.Bandwidth {
		if !(b > 0 && b < 1e18) {
			return fmt.Errorf("bandwidth is %v: the numbers are positive", t.Bandwidth)
		}
	}
	return nil
}

// String describes the target on a line.
func (t *Target) String() string {
	parts := []string{string(t.Kind)}
	if t.CPU != "" {
		parts = append(parts, t.CPU)
	}
	parts = append(parts, fmt.Sprintf("vectors of %d bytes", t.Vector), fmt.Sprintf("%d cores", t.Cores))
	if len(t.Caches) > 0 {
		var sizes []string
		for _, c := range t.Caches {
			sizes = append(sizes, fmt.Sprintf("%d KB", c>>10))
		}
		parts = append(parts, "caches of "+strings.Join(sizes, ", "))
	}
	if t.Library != "" {
		parts = append(parts, t.Library)
	}
	return t.Name + ": " + strings.Join(parts, ", ")
}
