package cuda

import (
	"regexp"
	"sync"

	"github.com/irc-lang/irc/ir/lists"
)

var entryRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)\.entry\s+([A-Za-z_$%][A-Za-z0-9_$]*)`) })

// entries are the names of the kernels of PTX text.
func entries(ptx string) (out []string) {
	return lists.Map(entryRE().FindAllStringSubmatch(ptx, -1), func(m []string) string { return m[1] })
}
