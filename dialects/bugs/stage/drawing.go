package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
)

// drawn is a statement of a statement graph.
type drawn struct {
	number    int
	text      string
	needs     []int64
	distances map[int64][]string // by the statement that is needed
}

// StatementGraph draws in DOT which statement of a program depends on which, as its
// attributes say; "" if they do not. An arrow goes from what is read to what reads.
func StatementGraph(g *ir.Graph) string {
	list := drawnStatements(g)
	if list == nil {
		return ""
	}
	var body []string
	there := map[int64]bool{}
	for _, s := range list {
		there[int64(s.number)] = true
		text := fmt.Sprintf("(%d) %s", s.number, s.text)
		body = append(body, fmt.Sprintf("  \"%d\" [ label=\"%s\", shape=\"box\",  weight=0 ];\n", s.number, dotText(text)))
	}
	for _, s := range list {
		for _, n := range s.needs {
			if there[n] { // else it was removed
				label := dotText(strings.Join(s.distances[n], "\n"))
				body = append(body, fmt.Sprintf("  \"%d\" -> \"%d\" [ label=\"%s\",  weight=0 ];\n", n, s.number, label))
			}
		}
	}
	slices.Sort(body)
	return "strict digraph {\n" + strings.Join(body, "") + "}\n"
}

// dotText escapes what stands between quotes.
func dotText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}

// drawnStatements reads the attributes of statements; nil if there are no dependences.
func drawnStatements(g *ir.Graph) []drawn {
	in, op := ops.FindModel(g)
	if op == 0 || len(in.Children(op)) != 1 {
		return nil
	}
	body, c := in.Children(op)[0], g.Ctx
	var out []drawn
	seen := map[int]bool{}
	for v := range ir.ScheduleOf(body).All() {
		needs, text, stmt := body.Attr(v, ops.NeedsAttr), body.Attr(v, ops.TextAttr), body.Attr(v, ops.StmtAttr)
		if needs == 0 || stmt == 0 || seen[int(c.AttrInfo(stmt).Int)] {
			continue
		}
		s := drawn{number: int(c.AttrInfo(stmt).Int), needs: c.Ints(needs), distances: map[int64][]string{}}
		seen[s.number] = true
		if text != 0 {
			s.text = c.AttrInfo(text).Str
		}
		if a := body.Attr(v, ops.DistancesAttr); a != 0 {
			for _, x := range c.AttrInfo(a).List {
				var name string
				var from int64
				if n, _ := fmt.Sscanf(c.AttrInfo(x).Str, "%s of %d:", &name, &from); n == 2 {
					_, rest, _ := strings.Cut(c.AttrInfo(x).Str, ": ")
					s.distances[from] = append(s.distances[from], name+": "+rest)
				}
			}
		}
		out = append(out, s)
	}
	return out
}
