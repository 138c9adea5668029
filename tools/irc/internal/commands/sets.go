package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/presburger/calc"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
	"github.com/irc-lang/irc/tools/irc/internal/polyhedra"
)

// sets evaluates expressions on integer sets, a line each. A wrong line is a
// diagnostic; the others are evaluated all the same.
func sets(s *session) error {
	if s.Flag("json") && s.Flag("draw") {
		return cli.Usagef("leave one of them out", "-draw writes a picture, and -json objects")
	}
	path := "-"
	if len(s.Files) > 0 {
		path = s.Files[0]
	}
	text, err := s.Read(path)
	if err != nil {
		return err
	}
	if path == "-" {
		path = "<stdin>"
	}
	src := diag.NewSource(path, text)
	c := calc.Calculator{Budget: s.Fuel()}
	var list diag.List
	var out bytes.Buffer
	picture := polyhedra.Picture{Title: filepath.Base(path)}
	offset := 0
	for line := range strings.Lines(text) {
		v, err := c.Eval(strings.TrimRight(line, "\n"))
		var e *calc.Error
		switch {
		case errors.As(err, &e):
			list = append(list, diag.Errorf(src.At(offset+min(e.Offset, len(line))), "%s", e.Msg))
		case err != nil:
			return err
		case v != nil && s.Flag("draw"):
			drawSet(&picture, strings.TrimSpace(line), v)
		case v != nil && s.Flag("json"):
			if err := writeSetJSON(&out, strings.TrimSpace(line), v); err != nil {
				return err
			}
		case v != nil:
			fmt.Fprintln(&out, v)
		}
		offset += len(line)
	}
	if s.Flag("draw") {
		out.WriteString(picture.SVG())
	}
	if err := s.Write(out.Bytes()); err != nil {
		return err
	}
	return list.Err()
}

// drawSet adds an answer to a picture: a set as statements, a map as dependences that are
// called what the line says.
func drawSet(d *polyhedra.Picture, line string, v any) {
	switch x := v.(type) {
	case presburger.Set:
		for _, part := range x.Sets() {
			name := part.Tuple().Name()
			if name == "" {
				name = line
			}
			d.Statements = append(d.Statements, polyhedra.Statement{Name: name, Domain: part})
		}
	case presburger.Map:
		d.Dependences = append(d.Dependences, polyhedra.Dependence{Kind: line, Map: x})
	case calc.Closure:
		d.Dependences = append(d.Dependences, polyhedra.Dependence{Kind: line, Map: x.Map})
	}
}

// writeSetJSON writes a jsontext.Object on a line of its own: what was asked, the kind of the
// answer (set, map, function, count, complexity, optimum, vectors, list, int, bool or
// text), and the answer; of a closure whether it is exact.
func writeSetJSON(out *bytes.Buffer, line string, v any) error {
	kind, value := "text", any(fmt.Sprint(v))
	var more jsontext.Object
	switch x := v.(type) {
	case presburger.PwAff, presburger.PwMultiAff:
		kind = "function"
	case *presburger.Count:
		kind = "count"
	case presburger.Complexity:
		kind = "complexity"
	case presburger.Optimum:
		kind = "optimum"
	case calc.Tree:
		kind, value = "list", []string(x.Lines())
	case calc.List:
		kind, value = "list", []string(x)
	case calc.Vectors:
		rows := make([][]json.Number, len(x))
		for i, v := range x {
			rows[i] = []json.Number{}
			for _, n := range v {
				rows[i] = append(rows[i], json.Number(n.String()))
			}
		}
		kind, value = "vectors", rows
	case bool:
		kind, value = "bool", x
	case presburger.Set:
		kind = "set"
	case presburger.Map:
		kind = "map"
	case calc.Closure:
		kind, value, more = "map", x.Map.String(), jsontext.Fields("exact", x.Exact)
	case presburger.Int:
		kind, value = "int", json.Number(x.String())
	}
	text, err := jsontext.Encode(append(jsontext.Fields("line", line, "kind", kind, "value", value), more...))
	if err != nil {
		return err
	}
	out.Write(append(text, '\n'))
	return nil
}

// setsHelp lists the functions.
func setsHelp() string {
	var b strings.Builder
	b.WriteString("One expression a line, in isl's notation; `A := ...` names a value, + - * are union, subtract and intersect, R^+ a transitive closure.\n\n")
	for _, f := range calc.Functions() {
		fmt.Fprintf(&b, "  %-44s %s\n", f.Name+"("+f.Signature()+")", f.Doc)
	}
	return b.String()
}
