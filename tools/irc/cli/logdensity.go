package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// logDensity prints the joint log density of a model: at the initial values, or
// at each of -points.
func logDensity(s *session) error {
	m, _, err := s.needModel()
	if err != nil {
		return err
	}
	if err := s.noDevice(); err != nil {
		return err
	}
	r := DensityRequest{Engine: s.str("engine"), Unchecked: s.flag("unchecked"), Fuel: s.fuel(),
		Note: func(why string) { s.sayf("-engine=auto takes %s", why) }}
	if v := s.str("values"); v != "" {
		r.Values = strings.Split(v, ",")
	}
	if path := s.str("points"); path != "" {
		t, err := s.read(path)
		if err != nil {
			return err
		}
		r.Points = diag.NewSource(path, t)
	}
	facts := m.Facts()
	if !s.flag("json") && r.Points != nil && len(facts.Vector) > 0 {
		fmt.Fprintf(s.stdout, "# vector: %s\n", strings.Join(facts.Vector, " "))
	}
	n, engine := 0, ""
	var out buffer
	err = m.LogDensity(s.ctx, r, func(d Density) error {
		if d.Engine != engine {
			engine = d.Engine
			s.sayf("engine: %s", engine)
		}
		if n++; n > 1 {
			s.progress("point %d", n)
		}
		if s.flag("json") {
			return writeDensityJSON(&out, facts, d)
		}
		writeDensity(&out, facts, d, r.Points != nil)
		return nil
	})
	s.progressEnd()
	s.warn(m)
	if err != nil {
		return err
	}
	return s.write(out.Bytes())
}

// writeDensityJSON writes one object on one line, its keys in the order of the
// documentation.
func writeDensityJSON(out *buffer, f ModelFacts, d Density) error {
	nodes := make([]member, len(d.Nodes))
	for i, n := range d.Nodes {
		nodes[i] = member{n.Name, number(n.LogP)}
	}
	obj := []member{{"model", f.Name}, {"logp", number(d.LogP)}, {"logp_observed", number(d.Observed)},
		{"parameters", f.Parameters}, {"observed", f.Observed}, {"engine", d.Engine}, {"nodes", object(nodes)}}
	if d.Values != nil {
		obj = append(obj, member{"values", numbers(d.Values)})
	}
	if f.Unconstrained {
		obj = append(obj, member{"log_jacobian", number(d.LogJacobian)}, member{"vector", f.Vector}, member{"transforms", f.Transforms}, member{"at", numbers(d.Vector)})
	}
	filled := d.Filled
	if filled == nil {
		filled = []string{}
	}
	data, err := json.Marshal(object(append(obj, member{"filled", filled})))
	if err == nil {
		out.Write(append(data, '\n'))
	}
	return err
}

func writeDensity(out *buffer, f ModelFacts, d Density, brief bool) {
	if brief {
		fmt.Fprintln(out, show(d.LogP))
		return
	}
	fmt.Fprintf(out, "logp          %s\nlogp_observed %s\n", show(d.LogP), show(d.Observed))
	width := 0
	for _, n := range d.Nodes {
		width = max(width, len(n.Name))
	}
	for _, n := range d.Nodes {
		fmt.Fprintf(out, "  %-*s %s\n", width, n.Name, show(n.LogP))
	}
	writeVector(out, f, d)
	var names []string
	for name := range d.Values {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		data, _ := json.Marshal(numbers(d.Values[name]))
		fmt.Fprintf(out, "%s = %s\n", name, data)
	}
	if len(d.Filled) > 0 {
		fmt.Fprintf(out, "filled in from the prior: %s\n", strings.Join(d.Filled, " "))
	}
}

// writeVector shows the point on the unconstrained scale, by coordinate.
func writeVector(out *buffer, f ModelFacts, d Density) {
	if !f.Unconstrained {
		return
	}
	fmt.Fprintf(out, "log_jacobian  %s\nvector        %d\n", show(d.LogJacobian), len(f.Vector))
	width := 0
	for _, n := range f.Vector {
		width = max(width, len(n))
	}
	for i, n := range f.Vector {
		fmt.Fprintf(out, "  %-*s %-8s %s\n", width, n, f.Transforms[i], show(d.Vector[i]))
	}
}

func show(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
