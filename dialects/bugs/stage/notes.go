package stage

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// notes are the attributes that statements have in a stage.
func (st *Stage) notes(c *ir.Context) func(s *model.Statement) []ir.NamedAttr {
	into := map[*model.Statement][]*model.Dependence{}
	for _, d := range st.Model.Deps {
		into[d.To] = append(into[d.To], d)
	}
	return func(s *model.Statement) []ir.NamedAttr {
		out := []ir.NamedAttr{{Name: ops.StmtAttr, Value: c.IntAttr(int64(s.Index+1), ir.I64)}}
		if st.Needs {
			needs := []int64{}
			for _, d := range into[s] {
				if n := int64(d.From.Index + 1); len(needs) == 0 || needs[len(needs)-1] != n {
					needs = append(needs, n)
				}
			}
			out = append(out, ir.NamedAttr{Name: ops.TextAttr, Value: c.StringAttr(model.SourceText(s.Source()))},
				ir.NamedAttr{Name: ops.NeedsAttr, Value: c.DenseArray(ir.I64, needs...)})
		}
		if st.Distances {
			list := lists.Map(into[s], func(d *model.Dependence) ir.Attr { return c.StringAttr(d.String()) })
			out = append(out, ir.NamedAttr{Name: ops.DistancesAttr, Value: c.ArrayAttr(list...)})
		}
		return out
	}
}
