package target

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/target/tuning"
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

// libm is the Library of a target that has C's mathematical functions.
const libm = "libm"

// A Target is a machine. It is a value that is not changed once it is made.
type Target struct {
	Name     string   `json:"name"`         // for people
	Kind     Kind     `json:"kind"`         // what runs the code
	Triple   string   `json:"triple"`       // LLVM's name of the machine; "" is this one
	CPU      string   `json:"cpu"`          // LLVM's name of the processor; "" is this machine's
	Features []string `json:"features"`     // more of LLVM's, such as "+avx2" and "-fma"
	Vector   int      `json:"vector_bytes"` // of a register
	Cores    int      `json:"cores"`        // that may run threads, at least 1
	Caches   []int64  `json:"cache_bytes"`  // of one core's data, from the innermost
	Memory   int64    `json:"memory_bytes"` // 0 is not known
	Library  string   `json:"library"`      // Libm, or "" for none
	Pipeline string   `json:"pipeline"`     // the lowering pipeline to it but for its end; "" is that of its kind
	Costs    Costs    `json:"costs"`        // what things cost, in operations on floats
	Once     bool     `json:"-"`            // what runs on it runs once: what makes it faster takes longer than it saves

	// What one core does at most; 0, or nothing, is not known. See Measured of package probe.
	PeakFlops float64   `json:"peak_flops"` // multiplications and additions of f64, a second
	Bandwidth []float64 `json:"bandwidth"`  // bytes that come from behind each cache, a second
}

// Lanes is how many elements of a number of bytes a vector register holds, at least 1.
func (t *Target) Lanes(bytes int) int { return max(1, t.Vector/bytes) }

// TableEntries is how many f64 fit into the innermost cache: what a table may have.
func (t *Target) TableEntries() int {
	if len(t.Caches) == 0 {
		return t.Costs.MinTable
	}
	return int(t.Caches[0] / 8)
}

// Schedule are the options of a schedule for the target.
func (t *Target) Schedule() ir.ScheduleOptions {
	return ir.ScheduleOptions{Weight: t.weight, ColdFrequency: t.Costs.ColdFrequency}
}

// weight says how often region i of an op runs for each run of the op: an
// ir.ScheduleOptions.Weight.
func (t *Target) weight(owner ir.Node, i int) float64 {
	switch owner.Region(i).Kind() {
	case ir.Branch:
		return t.Costs.Branch
	case ir.Loop, ir.Lambda:
		return t.Costs.Trips
	}
	return 1
}

// A keyError is about the value of a key of a target's file.
type keyError struct{ key, msg string }

func (e *keyError) Error() string { return e.msg }

// wrongf is an error about the value of a key.
func wrongf(key, format string, args ...any) error {
	return &keyError{key, key + " is " + fmt.Sprintf(format, args...)}
}

// Bounds of what is no number.
const (
	mostCaches   = 16
	mostFeatures = 256
	mostText     = 1 << 12 // bytes
)

// Check reports the first value that describes no machine, or one so large that what is compiled for it has no bound: a
// target may be a file from elsewhere, and is checked as options are.
func (t *Target) Check() error {
	for _, p := range append(t.Costs.all(), bounded{"vector_bytes", float64(t.Vector), tuning.MostLanes}, bounded{"cores", float64(t.Cores), tuning.MostCores}) {
		switch {
		case !(p.value > 0):
			return wrongf(p.key, "%v, which is no positive number", p.value)
		case p.value > p.most:
			return wrongf(p.key, "%.0f, and at most %.0f", p.value, p.most)
		}
	}
	switch {
	case t.Kind != Interpreter && t.Kind != CPU && t.Kind != GPU:
		return wrongf("kind", "%q, which is none of %s, %s and %s", t.Kind, Interpreter, CPU, GPU)
	case t.Vector&(t.Vector-1) != 0:
		return wrongf("vector_bytes", "%d, which is no power of 2", t.Vector)
	case t.Costs.ColdFrequency > 1:
		return wrongf("costs.rare", "%v, but a region runs at most as often as what is around it", t.Costs.ColdFrequency)
	case t.Costs.Branch > 1:
		return wrongf("costs.branch", "%v, but a branch runs at most as often as its op", t.Costs.Branch)
	case t.Library != "" && t.Library != libm:
		return wrongf("library", "%q, which is neither %q nor empty", t.Library, libm)
	case t.Memory < 0 || t.Memory > tuning.Unbounded:
		return wrongf("memory_bytes", "%d, and from 0 to %.0f", t.Memory, tuning.Unbounded)
	}
	if err := t.checkTexts(); err != nil {
		return err
	}
	return t.checkSpeed()
}

// checkTexts looks at what LLVM is told: names, which have neither spaces nor commas.
func (t *Target) checkTexts() error {
	named := func(s string) bool {
		return len(s) <= mostText && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == ',' || r >= 0x7f })
	}
	for key, text := range map[string]string{"triple": t.Triple, "cpu": t.CPU} {
		if !named(text) {
			return wrongf(key, "%.40q, which is no name of LLVM's", text)
		}
	}
	if len(t.Features) > mostFeatures {
		return &keyError{"features", fmt.Sprintf("features has %d entries, and at most %d", len(t.Features), mostFeatures)}
	}
	for _, f := range t.Features {
		if !named(f) || len(f) < 2 || f[0] != '+' && f[0] != '-' {
			return &keyError{"features", fmt.Sprintf("features has %.40q: each begins with + or -, and has no spaces", f)}
		}
	}
	if len(t.Pipeline) > mostText {
		return &keyError{"pipeline", fmt.Sprintf("pipeline has %d bytes, and at most %d", len(t.Pipeline), mostText)}
	}
	return nil
}

func (t *Target) checkSpeed() error {
	if len(t.Caches) > mostCaches {
		return &keyError{"cache_bytes", fmt.Sprintf("cache_bytes has %d sizes, and at most %d", len(t.Caches), mostCaches)}
	}
	for i, c := range t.Caches {
		if c <= 0 || c > tuning.Unbounded || i > 0 && c < t.Caches[i-1] {
			return wrongf("cache_bytes", "%v: the sizes are positive, below 10^15, and ascend", t.Caches)
		}
	}
	if t.PeakFlops != 0 && !(t.PeakFlops > 0 && t.PeakFlops < 1e18) {
		return wrongf("peak_flops", "%v, which is no positive number", t.PeakFlops)
	}
	if n := len(t.Bandwidth); n > 0 && n != len(t.Caches) {
		return &keyError{"bandwidth", fmt.Sprintf("bandwidth has %d numbers and cache_bytes %d: there is one from behind each cache", n, len(t.Caches))}
	}
	for _, b := range t.Bandwidth {
		if !(b > 0 && b < 1e18) {
			return wrongf("bandwidth", "%v: the numbers are positive", t.Bandwidth)
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
		sizes := lists.Map(t.Caches, func(c int64) string { return fmt.Sprintf("%d KB", c>>10) })
		parts = append(parts, "caches of "+strings.Join(sizes, ", "))
	}
	if t.Library != "" {
		parts = append(parts, t.Library)
	}
	return t.Name + ": " + strings.Join(parts, ", ")
}
