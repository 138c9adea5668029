package basic

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// StripDebugInfo forgets locations.
type StripDebugInfo struct{}

// StripInfo is the pass strip-debuginfo.
var StripInfo = &pass.Info{
	Name:     "strip-debuginfo",
	Doc:      "Forgets where ops come from. Diagnostics of what runs later have no place in the source then.",
	Why:      "Last, or before two programs are compared.",
	Verbatim: true,
	Example: `func.func @f(%a: i32) -> i32 {
  %x = arith.muli %a, %a : i32 loc("model":3:4)
  return %x : i32
}
`,
	New: func() pass.Pass { return &StripDebugInfo{} },
}

// Run copies every op without its location: a mirror keeps them, so the copy is
// made by a rule for every op that there is.
func (*StripDebugInfo) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	rules := ir.Rules{}
	for n := range g.All() {
		rules[n.Def()] = withoutLoc
	}
	return Rebuild(g, rules), nil
}

// withoutLoc copies an op with location 0. Its regions and children go through the mirror, so that the rule
// applies there too.
func withoutLoc(m *ir.Mirror, n ir.Node) ir.Value {
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs(), Type: n.Type(), Graphs: m.Children(n)}
	for i := range n.NumRegions() {
		call.Regions = append(call.Regions, m.Region(n.Region(i)))
	}
	m.B.Loc = 0
	return m.B.Must(call)
}
