package commands

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
	"github.com/irc-lang/irc/tools/irc/internal/polyhedra"
)

// systemsOf lists the systems of statements of a program.
func systemsOf(g *ir.Graph) []*poly.System {
	out := poly.Systems(g)
	_ = pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error { out = append(out, poly.Systems(body)...); return nil })
	return out
}

// systemDependences writes what depends on what in systems of statements, or draws it: domains
// with arrows between their points, and of a system with a schedule the tree.
func (s *session) systemDependences(name string, list []*poly.System) error {
	if s.EmitKind().Draw != nil {
		return s.drawSystem(name, list[0])
	}
	var b strings.Builder
	var all []jsontext.Object
	for _, sys := range list {
		deps, err := sys.Dependences()
		if err != nil {
			return sys.Node.Errorf("%v", err)
		}
		for _, st := range sys.Statements {
			fmt.Fprintf(&b, "%s: %s\n", st.Name, st.Domain)
		}
		for _, d := range deps {
			from, to := d.Map.Tuples()
			fmt.Fprintf(&b, "  %-9s %s -> %s: %s\n", d.Kind, from.Name(), to.Name(), d.Map)
			all = append(all, jsontext.Fields("kind", d.Kind, "from", from.Name(), "to", to.Name(), "map", d.Map.String()))
		}
		if sys.Schedule != nil {
			fmt.Fprintf(&b, "schedule:\n%s", indent(sys.Schedule.String()))
		}
	}
	if s.Flag("json") {
		data, err := jsontext.Encode(jsontext.Fields("dependences", all))
		if err != nil {
			return err
		}
		return s.Write(append(data, '\n'))
	}
	return s.Write([]byte(b.String()))
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// drawSystem draws the domains of a system, or the tree of its schedule. -D gives parameters
// their values; others get small ones.
func (s *session) drawSystem(name string, sys *poly.System) error {
	if k := s.EmitKind(); !k.Pages {
		return cli.Usagef(cli.EmitFlags(s.Program, "and", cli.Pages)+" draws it", "systems of statements are not drawn as %s", k.Name)
	}
	name = filepath.Base(name)
	if sys.Schedule != nil {
		return s.Write([]byte(polyhedra.Tree(name, sys.Schedule)))
	}
	params, err := s.drawnParams()
	if err != nil {
		return err
	}
	p := polyhedra.Picture{Title: name, Params: params}
	deps, err := sys.Dependences()
	if err != nil {
		return sys.Node.Errorf("%v", err)
	}
	for _, st := range sys.Statements {
		if _, ok := st.Operator.Combine(); ok {
			p.Statements = append(p.Statements, polyhedra.Statement{Name: st.Name, Domain: st.Domain})
		}
	}
	done, err := sys.Completions()
	if err != nil {
		return sys.Node.Errorf("%v", err)
	}
	for _, c := range done {
		p.Statements = append(p.Statements, polyhedra.Statement{Name: c.Tuple().Name(), Domain: c})
	}
	for _, st := range sys.Statements {
		if st.Operator == poly.Set {
			p.Statements = append(p.Statements, polyhedra.Statement{Name: st.Name, Domain: st.Domain})
		}
	}
	for _, d := range deps {
		p.Dependences = append(p.Dependences, polyhedra.Dependence{Kind: d.Kind, Map: d.Map})
	}
	return s.Write([]byte(p.SVG()))
}

// drawnParams are the values that -D gives parameters of a picture.
func (s *session) drawnParams() (map[string]int64, error) {
	given, err := s.Params()
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for param, text := range given {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, cli.Usagef("write -D N=5", "-D %s=%s is no integer", param, text)
		}
		out[param] = n
	}
	return out, nil
}
