package stage

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/dominikbraun/graph"
	"github.com/dominikbraun/graph/draw"
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
func StatementGraph(g *ir.Graph) (string, error) {
	list := drawnStatements(g)
	if list == nil {
		return "", nil
	}
	out := graph.New(func(i int) int { return i }, graph.Directed())
	for _, s := range list {
		label := dotText(fmt.Sprintf("(%d) %s", s.number, s.text))
		if err := out.AddVertex(s.number, graph.VertexAttribute("label", label), graph.VertexAttribute("shape", "box")); err != nil {
			return "", err
		}
	}
	for _, s := range list {
		for _, n := range s.needs {
			label := dotText(strings.Join(s.distances[n], "\n"))
			if _, err := out.Vertex(int(n)); err != nil {
				continue // it was removed
			}
			if err := out.AddEdge(int(n), s.number, graph.EdgeAttribute("label", label)); err != nil {
				return "", err
			}
		}
	}
	var buf bytes.Buffer
	if err := draw.DOT(out, &buf); err != nil {
		return "", err
	}
	// The library writes maps in any order.
	var body []string
	for _, line := range strings.Split(buf.String(), "\n") {
		if line = strings.TrimSpace(line); strings.HasSuffix(line, ";") {
			body = append(body, "  "+line)
		}
	}
	slices.Sort(body)
	return "strict digraph {\n" + strings.Join(body, "\n") + "\n}\n", nil
}

// dotText escapes a label for the library, which puts it between quotes as it is.
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
