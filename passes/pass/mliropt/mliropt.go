// Package mliropt says what the passes of mlir-opt 19 are here, for who knows their names.
package mliropt

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Pass says what a pass of mlir-opt 19 is here.
type Pass struct {
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

// Find finds the row of a pass of mlir-opt, or nil.
func Find(name string) *Pass {
	if i := slices.IndexFunc(All, func(p Pass) bool { return p.Name == name }); i >= 0 {
		return &All[i]
	}
	return nil
}

// IsAlias reports a name of mlir-opt's that is read as a pass here.
func (p *Pass) IsAlias() bool { return p != nil && p.Is == Alias }

// Stands is the name of the pass that an alias stands for.
func (p *Pass) Stands() string {
	name, _, _ := strings.Cut(p.Here, "{")
	return name
}

// IsNothing reports a name of mlir-opt that stands for no pass here, and is read as nothing.
func IsNothing(name string) bool {
	m := Find(name)
	return m != nil && m.Is == Nothing
}

// AliasesOf lists the names that mlir-opt has for a pass.
func AliasesOf(name string) (out []string) {
	for i := range All {
		if p := &All[i]; p.IsAlias() && p.Stands() == name && p.Name != name {
			out = append(out, p.Name)
		}
	}
	return out
}

// Option translates an option of mlir-opt's pass. Fixed is what a flag that is set stands for, if it is no value of
// the option as it is written.
func (p *Pass) Option(name string) (ours, fixed string, known bool) {
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
	p := Find(name)
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

// Ignored lists the options of mlir-opt's pass of a name that are read and say nothing here.
func Ignored(name string) (out []string) {
	if m := Find(name); m != nil {
		for _, o := range slices.Sorted(maps.Keys(m.Options)) {
			if m.Options[o] == "" {
				out = append(out, o)
			}
		}
	}
	return out
}
