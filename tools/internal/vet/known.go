package vet

import (
	"reflect"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/ir/unwind"
)

// known is what checks ask of all dialects together.
type known struct {
	defined map[*ir.OpDef]bool
	byName  map[string]*ir.OpDef      // the first of the name
	home    map[*ir.OpDef]*ir.Dialect // that lists it
	loose   []*ir.OpDef               // defined, and listed by none
	lowered map[*ir.OpDef]bool        // some rule lowers it
	routed  []string                  // levels that routes take in; nil if no pass has routes
	levels  []string                  // levels that dialects have rules for
	sharers map[uintptr]int           // of a function, how many ops have it
	ctx     *ir.Context               // nil if the dialects do not go together
}

// router is a pass that takes routes through levels.
type router interface {
	Levels(dialects []*ir.Dialect) []string
}

func (p *Program) know() *known {
	k := &known{defined: map[*ir.OpDef]bool{}, byName: map[string]*ir.OpDef{}, home: map[*ir.OpDef]*ir.Dialect{}, lowered: map[*ir.OpDef]bool{}, sharers: map[uintptr]int{}}
	for _, op := range ir.Definitions() {
		k.defined[op] = true
		for _, h := range hooks(op) {
			k.sharers[reflect.ValueOf(h).Pointer()]++
		}
	}
	for _, d := range p.Dialects {
		for _, op := range d.Ops {
			if op == nil {
				continue
			}
			if k.home[op] == nil {
				k.home[op] = d
			}
			if k.byName[op.Name] == nil {
				k.byName[op.Name] = op
			}
		}
		table := ir.Table[lower.Table](d)
		for _, level := range plan.LevelsOf(table) {
			k.levels = append(k.levels, level)
			for _, op := range plan.OpsOf(table, level) {
				k.lowered[op] = true
			}
		}
		for level := range ir.Table[ir.TypeLowerings](d) {
			k.levels = append(k.levels, level)
		}
	}
	for _, op := range ir.Definitions() {
		if op.Written() == op && k.home[op] == nil {
			k.loose = append(k.loose, op)
		}
	}
	for _, row := range p.Passes {
		if row.New == nil {
			continue
		}
		if r, ok := row.New().(router); ok {
			k.routed = append(k.routed, r.Levels(p.Dialects)...)
		}
	}
	_, _ = unwind.Catch[any](func() { k.ctx = ir.NewContext(p.Dialects...) }) // what it says is said by the checks
	return k
}
