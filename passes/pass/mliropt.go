package pass

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An MLIRPass says what a pass of mlir-opt 19 is here.
type MLIRPass struct {
	Name string
	Is   Relation
	// Here is a pass with options if mlir-opt's is another name of it, else the passes that do what it does,
	// or come near.
	Here string
	// Options are those of mlir-opt's pass that are read: our option of the same meaning; "" for one that says
	// nothing here and is forgotten; "a=1" for a flag that sets a to 1.
	Options map[string]string
	Note    string // what differs, or why nothing is to be done
}

// A Relation says how a pass of mlir-opt is related to those here.
type Relation string

// The relations.
const (
	Alias   Relation = "alias"         // read as the pass that stands for it
	Part    Relation = "part of"       // done on the way by what stands for it; refused, with that advice
	Nothing Relation = "nothing to do" // holds of every graph; read and left out of the pipeline
	Near    Relation = "near to"       // refused, with that advice
)

// MLIR finds the row of a pass of mlir-opt, or nil.
func MLIR(name string) *MLIRPass {
	if i := slices.IndexFunc(MLIROpt, func(p MLIRPass) bool { return p.Name == name }); i >= 0 {
		return &MLIROpt[i]
	}
	return nil
}

// isAlias reports a name of mlir-opt's that is read as a pass here.
func (p *MLIRPass) isAlias() bool { return p != nil && p.Is == Alias }

// pass is the name of the pass that an alias stands for.
func (p *MLIRPass) pass() string {
	name, _, _ := strings.Cut(p.Here, "{")
	return name
}

// aliasesOf lists the names that mlir-opt has for a pass.
func aliasesOf(name string) (out []string) {
	for i := range MLIROpt {
		if p := &MLIROpt[i]; p.isAlias() && p.pass() == name && p.Name != name {
			out = append(out, p.Name)
		}
	}
	return out
}

// Aliases lists the names of mlir-opt that are read as this pass.
func (p *Info) Aliases() []string { return aliasesOf(p.Name) }

// Elsewhere lists the options of mlir-opt's pass of this name that are read and say nothing here.
func (p *Info) Elsewhere() (out []string) {
	if m := MLIR(p.Name); m != nil {
		for _, name := range slices.Sorted(maps.Keys(m.Options)) {
			if m.Options[name] == "" {
				out = append(out, name)
			}
		}
	}
	return out
}

// option translates an option of mlir-opt's pass. Fixed is what a flag that is set stands for, if it is no value of
// the option as it is written.
func (p *MLIRPass) option(name string) (ours, fixed string, known bool) {
	if p == nil {
		return name, "", false
	}
	to, known := p.Options[name]
	if !known {
		return name, "", false
	}
	ours, fixed, _ = strings.Cut(to, "=")
	return ours, fixed, true
}

// Advice says in place of "unknown pass" where what a pass of mlir-opt does is to be had; "" of an unknown name, and
// of one that is read.
func Advice(name string) string {
	p := MLIR(name)
	if p == nil || p.Is == Alias || p.Is == Nothing {
		return ""
	}
	note := ""
	if p.Note != "" {
		note = " (" + p.Note + ")"
	}
	switch {
	case p.Here == "":
		return "irc has nothing like this pass of mlir-opt" + note
	case p.Is == Part:
		return fmt.Sprintf("irc does what mlir-opt's pass does as part of %s%s", p.Here, note)
	}
	return fmt.Sprintf("the nearest that irc has is %s%s", p.Here, note)
}

// Reads reports a name that stands for a pass, or for nothing, in a pipeline.
func (l List) Reads(name string) bool {
	m := MLIR(name)
	return l.Find(name) != nil || m != nil && m.Is == Nothing
}
