package pass

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
)

func wants(names []string, info *Info) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == "*" || n == info.Name || slices.Contains(info.Aliases, n)
	})
}

// header is the line above a dump, as mlir-opt writes it.
func header(when string, info *Info, function string) string {
	if function != "" {
		function = " on @" + function
	}
	return fmt.Sprintf("// -----// IR Dump %s %s%s //----- //\n", when, info.Name, function)
}

func (m *Manager) show(g *ir.Graph) string {
	if m.Print == nil {
		return ""
	}
	return m.Print(g, false)
}

func (m *Manager) dump(when string, info *Info, function string, g *ir.Graph) {
	fmt.Fprint(m.Out, header(when, info, function), strings.TrimRight(m.show(g), "\n"), "\n\n")
}

// diff shows what a pass changed; nothing if it changed nothing.
func (m *Manager) diff(info *Info, function string, before, after *ir.Graph) {
	a, b := m.show(before), m.show(after)
	if a == b {
		return
	}
	fmt.Fprint(m.Out, header("After", info, function), Diff(a, b), "\n")
}
