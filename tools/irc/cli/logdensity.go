package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
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
	r := DensityRequest{Engine: s.str("engine"), Unchecked: s.flag("unchecked"), Fuel: s.fuel(), CPU: s.str("mcpu")}
	if v := s.str("values"); v != "" {
		r.Values = strings.Split(v, ",")
	}
	if path := s.str("points"); path != "" {
		t, err := s.read(path)
		if err != nil {
			return err
		}
		if r.Points, err = readPoints(diag.NewSource(path, t)); err != nil {
			return err
		}
	}
	facts := m.Facts()
	if !s.flag("json") && len(facts.Vector) > 0 {
		fmt.Fprintf(s.stdout, "# vector: %s\n", strings.Join(facts.Vector, " "))
	}
	n, engine := 0, ""
	var out buffer
	err = m.LogDensity(s.ctx, r, func(d Density) error {
		if d.Engine != engine {
			engine = d.Engine
			s.sayf("engine: %s", engine)
		}
		if n++; len(r.Points) > 1 {
			s.progress("point %d of %d", n, len(r.Points))
		}
		if s.flag("json") {
			return writeDensityJSON(&out, facts, d)
		}
		writeDensity(&out, d, len(r.Points) > 0)
		return nil
	})
	s.progressEnd()
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
	if len(f.Vector) > 0 {
		obj = append(obj, member{"vector", f.Vector})
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

func writeDensity(out *buffer, d Density, brief bool) {
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

func show(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// readPoints reads a JSON array of objects, or CSV with a header of names.
func readPoints(src *diag.Source) ([]Point, error) {
	if strings.EqualFold(filepath.Ext(src.Name), ".csv") || !strings.HasPrefix(strings.TrimSpace(src.Text), "[") {
		return csvPoints(src)
	}
	var raw []map[string]any
	dec := json.NewDecoder(strings.NewReader(src.Text))
	if err := dec.Decode(&raw); err != nil {
		at := int(dec.InputOffset())
		return nil, diag.Errorf(src.At(at), "points: %v", err).WithFix("a JSON array of objects: [{\"mu\": 1.5, \"alpha\": [1, 2]}]")
	}
	out := make([]Point, len(raw))
	for i, obj := range raw {
		out[i] = Point{}
		for name, v := range obj {
			vals, err := flat(v, nil)
			if err != nil {
				return nil, diag.Errorf(src.At(0), "points: %q of point %d: %v", name, i+1, err)
			}
			out[i][name] = vals
		}
	}
	return out, nil
}

func flat(v any, out []float64) ([]float64, error) {
	switch v := v.(type) {
	case float64:
		return append(out, v), nil
	case string:
		x, ok := numerals[v]
		if !ok {
			return nil, fmt.Errorf("%q is no number", v)
		}
		return append(out, x), nil
	case []any:
		var err error
		for _, x := range v {
			if out, err = flat(x, out); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("want a number or an array of numbers")
}

var numerals = map[string]float64{"Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "NaN": math.NaN()}

// csvPoints reads one draw a line; columns are named like alpha[3]. Lines that
// begin with # are comments, as in Stan's output.
func csvPoints(src *diag.Source) ([]Point, error) {
	r := csv.NewReader(bytes.NewReader([]byte(src.Text)))
	r.Comment, r.TrimLeadingSpace = '#', true
	rows, err := r.ReadAll()
	if err != nil {
		return nil, diag.Errorf(src.At(0), "points: %v", err)
	}
	if len(rows) == 0 {
		return nil, diag.Errorf(src.At(0), "points: the file is empty").WithFix("the first line names the columns: mu,alpha[1],alpha[2]")
	}
	var out []Point
	for i, row := range rows[1:] {
		p := Point{}
		for k, cell := range row {
			x, ok := numerals[strings.TrimSpace(cell)]
			if !ok {
				if x, err = strconv.ParseFloat(strings.TrimSpace(cell), 64); err != nil {
					return nil, diag.Errorf(src.At(0), "points: %q in column %s of draw %d is no number", cell, rows[0][k], i+1)
				}
			}
			p[strings.TrimSpace(rows[0][k])] = []float64{x}
		}
		out = append(out, p)
	}
	return out, nil
}
