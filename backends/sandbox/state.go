package sandbox

import "fmt"

// State is what holds of a process.
type State struct {
	Filter   bool   `json:"seccomp"`          // on all threads
	Landlock int    `json:"landlock"`         // version of the kernel's interface; 0 if there is none
	Missing  string `json:"reason,omitempty"` // why there is no Filter
}

func (s State) String() string {
	filter, files := "seccomp filter", "no Landlock in this kernel"
	if !s.Filter {
		filter = "no seccomp filter (" + s.Missing + ")"
	}
	if s.Landlock > 0 {
		files = fmt.Sprintf("Landlock %d", s.Landlock)
	}
	return filter + ", " + files
}
