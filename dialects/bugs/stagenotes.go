package bugs

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// Attributes of statements on their way to sequential code.
const (
	stmtAttr      = "stmt"      // its number in the text, from 1
	needsAttr     = "needs"     // the numbers of the statements that it depends on
	distancesAttr = "distances" // of each of these dependences: the variable, the classes and the sign vectors
	textAttr      = "text"      // the statement
)

// notes are the attributes that statements have in a stage.
func (st *Stage) notes(c *ir.Context) func(s *Statement) []ir.NamedAttr {
	into := map[*Statement][]*dep{}
	for _, d := range st.Model.deps {
		into[d.to] = append(into[d.to], d)
	}
	return func(s *Statement) []ir.NamedAttr {
		out := []ir.NamedAttr{{Name: stmtAttr, Value: c.IntAttr(int64(s.Index+1), ir.I64)}}
		if st.Needs {
			needs := []int64{}
			for _, d := range into[s] {
				if n := int64(d.from.Index + 1); len(needs) == 0 || needs[len(needs)-1] != n {
					needs = append(needs, n)
				}
			}
			out = append(out, ir.NamedAttr{Name: textAttr, Value: c.StringAttr(sourceOf(s.node()))},
				ir.NamedAttr{Name: needsAttr, Value: c.DenseArray(ir.I64, needs...)})
		}
		if st.Distances {
			var list []ir.Attr
			for _, d := range public(into[s]) {
				list = append(list, c.StringAttr(d.String()))
			}
			out = append(out, ir.NamedAttr{Name: distancesAttr, Value: c.ArrayAttr(list...)})
		}
		return out
	}
}

// String says what is read of which statement, and the distances: "x of 1: positive (+)".
func (d Dependence) String() string {
	var vectors []string
	for _, v := range d.Vectors {
		if len(v) > 0 {
			vectors = append(vectors, " "+VectorText(v))
		}
	}
	return fmt.Sprintf("%s of %d: %s%s", d.Var.Name, d.From.Index+1, d.Distances(), strings.Join(vectors, ""))
}

// Written is a statement without an op of its own.
var Written = ir.Define(&ir.OpDef{Name: "bugs.written",
	Doc: "A statement of a program as it is written that does nothing at run time: data alone give what it defines (`why` is data), " +
		"it has no iterations (never), or it is a quantity outside of the density that has no op (quantity).",
	Attrs: []string{"name", "text", "why"}, Infer: inferWritten, Effects: func(c *ir.Call) []ir.Effect {
		return []ir.Effect{{Kind: ir.Write, On: c.Builder().Named("bugs.density", ir.World)}}
	}})

func inferWritten(c *ir.Call) (ir.Type, error) {
	for _, n := range []string{"name", "text", "why"} {
		if a := c.Get(n); a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrString {
			return 0, c.Errorf("requires the string attribute '%s'", n)
		}
	}
	if len(c.Args) > 0 {
		return 0, c.Errorf("wants no operands")
	}
	return ir.Void, nil
}

// written makes a bugs.written of a statement.
func (e *emitter) written(s *Statement) {
	why := "quantity"
	switch {
	case s.n == 0:
		why = "never"
	case !s.runs():
		why = "data"
	}
	c := e.b.Ctx()
	props := []ir.NamedAttr{{Name: "name", Value: c.StringAttr(s.v.Name)}, {Name: "text", Value: c.StringAttr(sourceOf(s.node()))}, {Name: "why", Value: c.StringAttr(why)}}
	notes := e.notes(s)
	for i, n := range notes {
		if n.Name == textAttr {
			notes = append(notes[:i:i], notes[i+1:]...)
			break
		}
	}
	e.b.Must(ir.Call{Def: Written, Attr: c.Props(props, notes), Loc: ir.Loc(s.Span().Start + 1)})
}

// props are the attributes of the op of the statement that is emitted.
func (e *emitter) props(props []ir.NamedAttr) ir.Attr {
	var notes []ir.NamedAttr
	if e.notes != nil && e.stmt != nil {
		notes = e.notes(e.stmt)
	}
	return e.b.Ctx().Props(props, notes)
}
