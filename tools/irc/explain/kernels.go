package explain

import (
	"fmt"
	"strings"
)

// Kernels is what the machine code of a program's kernels takes.
type Kernels struct {
	Arch    string   `json:"arch,omitempty"` // "sm_80"
	Missing string   `json:"missing,omitempty"`
	List    []Kernel `json:"list,omitempty"`
}

// A Kernel is one of them. Memory is in bytes.
type Kernel struct {
	Name      string `json:"name"`
	Registers int    `json:"registers"`     // of a thread
	Shared    int    `json:"shared_memory"` // of a block
	Stack     int    `json:"stack"`         // of a thread
	Spilled   int    `json:"spilled"`       // of a thread, stored and loaded
	Fits      []Fit  `json:"fits,omitempty"`
}

// A Fit is how many threads find room on a multiprocessor at once, by blocks of a size that the kernel is launched with; none where they do not fit.
type Fit struct {
	Block   int    `json:"block_threads"`
	Threads int    `json:"threads"`
	Most    int    `json:"most_threads"`
	Limit   string `json:"limit,omitempty"`
}

// Text is what there is to say for people.
func (k *Kernels) Text() string {
	if k.Missing != "" {
		return "kernels\n  what they take is not known: " + strings.ReplaceAll(k.Missing, "\n", "\n  ") + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "kernels on %s with checks of bounds, by ptxas\n", k.Arch)
	for _, x := range k.List {
		fmt.Fprintf(&b, "  @%s: %d registers, %d bytes of shared memory, %d spilled", x.Name, x.Registers, x.Shared, x.Spilled)
		if x.Stack > 0 {
			fmt.Fprintf(&b, ", %d of stack", x.Stack)
		}
		for _, f := range x.Fits {
			if f.Threads == 0 {
				fmt.Fprintf(&b, "; a block of %d threads does not fit", f.Block)
				continue
			}
			fmt.Fprintf(&b, "; by blocks of %d, %d of %d threads at once", f.Block, f.Threads, f.Most)
			if f.Threads < f.Most {
				fmt.Fprintf(&b, " (%s)", f.Limit)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
