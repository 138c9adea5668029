package pass

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
)

func wants(names []string, info *Info) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == "*" || n == info.Name || slices.Contains(info.Aliases(), n)
	})
}

// header is the line above a dump, as mlir-opt writes it.
func header(when string, info *Info, function string) string {
	if function != "" {
		function = " on @" + function
	}
	return "// -----// IR Dump " + strings.Replace(when, "%s", info.Name, 1) + function + " //----- //\n"
}

// failed shows what a pass was given that failed: it left nothing.
func (m *Manager) failed(info *Info, function string, g *ir.Graph) {
	if m.PrintAfterFailure {
		m.dump("After %s Failed", info, function, g)
	}
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
	fmt.Fprint(m.Out, header("After %s", info, function), Diff(a, b), "\n")
}
