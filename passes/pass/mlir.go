package pass

import "github.com/irc-lang/irc/passes/pass/mliropt"

// Aliases lists the names of mlir-opt that are read as this pass.
func (p *Info) Aliases() []string { return mliropt.AliasesOf(p.Name) }

// Reads reports a name that stands for a pass, or for nothing, in a pipeline.
func (l List) Reads(name string) bool {
	m := mliropt.Find(name)
	return l.Find(name) != nil || m != nil && m.Is == mliropt.Nothing
}
