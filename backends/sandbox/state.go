package sandbox

import "fmt"

// State is what holds of a process.
type State struct {
	Filter   bool   `json:"seccomp"`          // on all threads
	Landlock int    `json:"landlock"`         // version of the kernel's interface; 0 if there is none
	Missing  string `json:"reason,omitempty"` // why there is no Filter

	// What holds the limits of memory and of threads, besides those that the process sets itself.
	Memory  string `json:"memory"`
	Threads string `json:"threads"`

	Supervised bool `json:"-"` // its supervisor decides about new threads
}

func (s State) String() string {
	filter, files := "seccomp filter", "no Landlock in this kernel"
	if !s.Filter {
		filter = "no seccomp filter (" + s.Missing + ")"
	}
	if s.Landlock > 0 {
		files = fmt.Sprintf("Landlock %d", s.Landlock)
	}
	out := filter + ", " + files
	if s.Memory != "" {
		out += ", memory by " + s.Memory
	}
	if s.Threads != "" {
		out += ", threads by " + s.Threads
	}
	return out
}
