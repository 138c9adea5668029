package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// logDensity prints the joint log density of a model: at the initial values, or
// at each of -points.
func logDensity(s *Session) error {
	src, in, err := s.NeedModel()
	if err != nil {
		return err
	}
	r, p, wrong := s.DensityRequest(src)
	if wrong == nil && r.Engine.Native { // the child starts while data are read
		kind, stop := r.Engine.Prestart(s.Context, r.options())
		defer stop()
		r.Engine = kind
	}
	m, err := s.Model(s.NewContext(), src, in)
	if err != nil {
		return err
	}
	if wrong != nil {
		return wrong
	}
	r.Lower = s.DensityLowering(p, src)
	r.Runs = func(p contract.Program) { s.tellEngine(m.Graph().Ctx, src, p) }
	if v := s.Str("values"); v != "" {
		r.Values = NamesIn(v)
	}
	r.Gradient, r.Reasons = s.Flag("gradient"), s.Flag("json")
	out := &densityPrinter{s: s, facts: m.Facts(), brief: s.Str("points") != "", values: len(r.Values) > 0 || r.Gradient, logical: len(r.Values) > 0, out: s.newStream()}
	defer out.out.drop()
	if path := s.Str("points"); path != "" {
		points, err := s.open(path)
		if err != nil {
			return err
		}
		defer points.Close()
		r.Points, r.PointsName, r.Idle = points, path, out.out.flush
	}
	if !s.Flag("json") && r.Points != nil && out.facts.Coordinates > 0 {
		out.writeNames()
	}
	err = m.LogDensity(s.Context, r, out.print)
	s.progress.End()
	s.Warn(m)
	return out.end(s.Lacking(err))
}

// writeNames writes the names of the coordinates in a line before the points.
func (p *densityPrinter) writeNames() {
	shown := min(p.facts.Coordinates, mostCoordinates)
	fmt.Fprint(p.out, "# vector:")
	for i := range shown {
		name, _ := p.facts.Coordinate(i)
		fmt.Fprint(p.out, " ", name)
	}
	if more := p.facts.Coordinates - shown; more > 0 {
		fmt.Fprintf(p.out, " and %d more, which -json lists", more)
	}
	fmt.Fprintln(p.out)
}

// DensityRequest is what the command line says of how a density is to run, and the passes
// that it names.
func (s *Session) DensityRequest(src *diag.Source) (r DensityRequest, p *pass.Pipeline, err error) {
	if _, err := s.modelEngine(); err != nil {
		return r, nil, err
	}
	if p, err = s.Pipeline(src); err != nil {
		return r, nil, err
	}
	if s.asWritten {
		return r, nil, Usagef("`irc -passes=...` shows what they do", "-passes names passes on models as they are written, and a density is compiled from what comes of that")
	}
	kind, to, err := s.engineFor(p)
	return DensityRequest{Engine: kind, Target: to, Level: LevelOf(p), Once: s.Str("points") == "" && p.End() == nil, Unchecked: s.Flag("unchecked"), Fuel: s.Fuel(), MemLimit: s.Process().Memory, Child: s.Process()}, p, err
}

// A densityPrinter writes the densities as they come.
type densityPrinter struct {
	s       *Session
	facts   ModelFacts
	brief   bool // of many points
	values  bool // with values that were asked for
	logical bool // some of them are logical nodes
	named   bool // their names were written
	headed  int  // how many logical ones there are, then
	out     *stream
	n       int
	invalid int // points at which a parameter has no meaning
}

// mostTold bounds the points whose mistakes are shown.
const mostTold = 3

func (p *densityPrinter) print(d Density) error {
	if p.n++; p.n > 1 {
		p.s.progress.Show("point %d", p.n)
	}
	if d.Status == StatusInvalid {
		if p.invalid++; !p.brief && !p.s.Flag("json") {
			return d.Err
		}
		if p.invalid <= mostTold {
			p.s.progress.End()
			fmt.Fprintln(p.s.Stderr, shortLines(message(d.Err)))
		}
	}
	if !p.s.Flag("json") {
		if p.brief {
			p.writeBrief(d)
		} else {
			writeDensity(p.out, p.facts, d)
		}
		return p.out.due()
	}
	if err := writeDensityJSON(p.out, p.facts, d); err != nil {
		return err
	}
	return p.out.due()
}

// end completes the output: what was computed before an error of the input is shown, and
// a file is written if there was none.
func (p *densityPrinter) end(err error) error {
	if more := p.out.end(err == nil); err == nil {
		err = more
	}
	if err == nil && p.invalid > 0 {
		if p.invalid > mostTold {
			fmt.Fprintf(p.s.Stderr, "irc: %d of %d points have no density because a parameter has no meaning there; the first %d are shown\n", p.invalid, p.n, mostTold)
		}
		return ErrSaid
	}
	return err
}

// writeDensityJSON writes one object on one line, its keys in the order of the
// documentation.
func writeDensityJSON(out io.Writer, f ModelFacts, d Density) error {
	nodes := make([]jsontext.Member, len(d.Nodes))
	for i, n := range d.Nodes {
		nodes[i] = jsontext.Member{Key: n.Name, Value: jsontext.Number(n.LogP)}
	}
	w := &jsontext.Stream{Out: out}
	key := func(k string) { w.Raw(",\"" + k + "\":") }
	small := func(list ...any) {
		for _, m := range jsontext.Fields(list...) {
			key(m.Key)
			w.Value(m.Value)
		}
	}
	w.Raw(`{"model":`)
	w.Value(f.Name)
	small("logp", jsontext.Number(d.LogP), "logp_observed", jsontext.Number(d.Observed), "parameters", f.Parameters,
		"generated", f.Generated, "observed", f.Observed, "engine", d.Engine, "nodes", jsontext.Object(nodes))
	if d.Values != nil {
		key("values")
		w.Arrays(d.Values)
	}
	if f.Unconstrained {
		small("log_jacobian", jsontext.Number(d.LogJacobian))
		key("vector")
		w.Strings(f.coordinates(func(name, _ string) string { return name }))
		key("transforms")
		w.Strings(f.coordinates(func(_, transform string) string { return transform }))
		key("at")
		w.Array([]int{len(d.Vector)}, d.Vector)
	}
	if d.Gradient != nil {
		key("coordinates")
		w.Strings(slices.Values(d.Coordinates))
		key("gradient")
		w.Array([]int{len(d.Gradient)}, d.Gradient)
	}
	if f.Tables != nil && len(f.Tables()) > 0 {
		key("tables")
		w.Arrays(f.Tables())
	}
	key("filled")
	if d.Filled.Len > 0 {
		w.Strings(d.Filled.All)
	} else {
		w.Raw("[]")
	}
	if d.Status != "" {
		small("status", d.Status, "node", d.Node)
	}
	if d.Err != nil {
		small("message", reason(d.Err))
	}
	w.Raw("}\n")
	return w.Flush()
}

// reason is an error in one line, without its place.
func reason(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return diag.Short(d.Message)
	}
	return diag.Short(err.Error())
}

// writeBrief writes one of many densities: its number, and behind it those of -values, of
// which a first line gives the names.
func (p *densityPrinter) writeBrief(d Density) {
	if !p.values {
		fmt.Fprintln(p.out, jsontext.Decimal(d.LogP))
		return
	}
	names := slices.Sorted(maps.Keys(d.Values))
	w := &jsontext.Stream{Out: p.out}
	if (d.Values != nil || !p.logical) && !p.named {
		p.named = true
		w.Raw("# logp")
		for _, name := range names {
			p.headed += len(d.Values[name].Values)
			for head := range d.Values[name].Names(name) {
				w.Raw(" ")
				w.Raw(head)
			}
		}
		for _, name := range d.Coordinates {
			w.Raw(" d/d")
			w.Raw(name)
		}
		w.Raw("\n")
	}
	w.Raw(jsontext.Decimal(d.LogP))
	n := 0
	for _, name := range names {
		for _, x := range d.Values[name].Values {
			w.Raw(" ")
			w.Raw(jsontext.Decimal(x))
			n++
		}
	}
	for range p.headed - n { // a point without a density has no values
		w.Raw(" NaN")
	}
	for _, x := range d.Gradient {
		w.Raw(" ")
		w.Raw(jsontext.Decimal(x))
	}
	w.Raw("\n")
	_ = w.Flush() // end tells it
}

func writeDensity(out io.Writer, f ModelFacts, d Density) {
	fmt.Fprintf(out, "logp          %s\nlogp_observed %s\n", jsontext.Decimal(d.LogP), jsontext.Decimal(d.Observed))
	width := 0
	for _, n := range d.Nodes {
		width = max(width, len(n.Name))
	}
	for _, n := range d.Nodes {
		fmt.Fprintf(out, "  %-*s %s\n", width, n.Name, jsontext.Decimal(n.LogP))
	}
	writeVector(out, f, d)
	writeGradient(out, d)
	for _, name := range slices.Sorted(maps.Keys(d.Values)) {
		w := &jsontext.Stream{Out: out}
		w.Raw(name + " = ")
		w.Array(d.Values[name].Dims, d.Values[name].Values)
		w.Raw("\n")
		_ = w.Flush() // end tells it
	}
	if d.Filled.Len > 0 {
		fmt.Fprintf(out, "filled in from the prior: %s\n", firstOf(d.Filled))
	}
}

// firstOf lists names, and says how many more there are of very many.
func firstOf(names Names) string {
	var first []string
	for name := range names.All {
		if len(first) == diag.MaxNames && names.Len > diag.MaxNames+1 {
			return fmt.Sprintf("%s and %d more, which -json lists", strings.Join(first, " "), names.Len-diag.MaxNames)
		}
		first = append(first, name)
	}
	return strings.Join(first, " ")
}

// mostCoordinates bounds the lines about coordinates, and the names in the line before points.
const mostCoordinates = 1000

// writeVector shows the point on the unconstrained scale, by coordinate.
func writeVector(out io.Writer, f ModelFacts, d Density) {
	if !f.Unconstrained {
		return
	}
	fmt.Fprintf(out, "log_jacobian  %s\nvector        %d\n", jsontext.Decimal(d.LogJacobian), f.Coordinates)
	width, shown := 0, min(f.Coordinates, mostCoordinates)
	for i := range shown {
		n, _ := f.Coordinate(i)
		width = max(width, len(n))
	}
	var line []byte
	pad := func(s string, width int) {
		line = append(line, s...)
		for range width + 1 - len(s) {
			line = append(line, ' ')
		}
	}
	for i := range shown {
		n, transform := f.Coordinate(i)
		line = append(line[:0], "  "...)
		pad(n, width)
		pad(transform, 8)
		line = append(append(line, jsontext.Decimal(d.Vector[i])...), '\n')
		out.Write(line)
	}
	if more := f.Coordinates - shown; more > 0 {
		fmt.Fprintf(out, "  and %d more, which -json lists\n", more)
	}
}

// writeGradient shows the derivatives, by coordinate.
func writeGradient(out io.Writer, d Density) {
	if d.Gradient == nil {
		return
	}
	fmt.Fprintf(out, "gradient      %d\n", len(d.Gradient))
	shown := d.Coordinates[:min(len(d.Coordinates), mostCoordinates)]
	width := 0
	for _, name := range shown {
		width = max(width, len(name))
	}
	for i, name := range shown {
		fmt.Fprintf(out, "  %-*s %s\n", width, name, jsontext.Decimal(d.Gradient[i]))
	}
	if more := len(d.Coordinates) - len(shown); more > 0 {
		fmt.Fprintf(out, "  and %d more, which -json lists\n", more)
	}
}

// NamesIn splits names at commas, but for those of indices.
func NamesIn(list string) []string {
	depth := 0
	return strings.FieldsFunc(list, func(r rune) bool {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		}
		return r == ',' && depth <= 0
	})
}
