package cuda

import (
	"regexp"
	"sync"
)

var entryRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)\.entry\s+([A-Za-z_$%][A-Za-z0-9_$]*)`) })

// entries are the names of the kernels of PTX text.
func entries(ptx string) (out []string) {
	for _, m := range entryRE().FindAllStringSubmatch(ptx, -1) {
		out = append(out, m[1])
	}
	return out
}
