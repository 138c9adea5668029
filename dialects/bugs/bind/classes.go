package bind

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
)

// Classify counts what the elements are, and refuses `<-` and `~` together where the
// assignment is not data.
func (b *Builder) Classify() {
	for _, v := range b.Model.Vars {
		if !v.CountByParts(b.JAGS) {
			b.countEach(v)
		}
	}
}

// countEach looks at every element.
func (b *Builder) countEach(v *model.Var) {
	v.Counts = [model.Parameter + 1]int{}
	for k := range v.Size {
		assigned, drawn := v.Assigned.Has(v.Dims, k), v.Drawn.Has(v.Dims, k)
		c := v.ClassAt(k)
		if drawn && assigned && c == model.Parameter {
			b.bothSides(v, k)
			c = model.Undefined
		}
		v.Counts[c]++
		if drawn && assigned && b.JAGS && !b.Model.Statements[v.AssignedBy(k).Stmt-1].InData {
			b.bothSides(v, k)
		}
	}
}
