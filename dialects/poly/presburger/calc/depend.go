package calc

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/depend"
	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// dependFunctions are those of dependence analysis.
var dependFunctions = []Function{
	{"flow", "mmmmm", "sources of accesses by their values: of sink, must, may, kill and schedule", flow(func(f depend.Flow) p.Map { return f.May })},
	{"must_flow", "mmmmm", "those that are sure to be the only source", flow(func(f depend.Flow) p.Map { return f.Must })},
	{"may_no_source", "mmmmm", "accesses without a source that is sure", flow(func(f depend.Flow) p.Map { return f.MayNoSource })},
	{"must_no_source", "mmmmm", "accesses without any source", flow(func(f depend.Flow) p.Map { return f.MustNoSource })},
	{"depends", "mmm", "accesses of the first related to later ones of the second to the same element, by a schedule", depends},
	{"directions", "m", "direction vectors, of the second side minus the first", directions},
	{"distance", "m", "distances that are the same for all pairs, by the parameters; * for others", distance},
}

// asMaps takes an empty set for an empty map: both are written { }.
func asMaps(args []any) ([]p.Map, error) {
	out := make([]p.Map, len(args))
	for i, a := range args {
		switch x := a.(type) {
		case p.Map:
			out[i] = x
		case p.Set:
			if len(x.Sets()) > 0 {
				return nil, errKinds{}
			}
		default:
			return nil, errKinds{}
		}
	}
	return out, nil
}

func flow(which func(depend.Flow) p.Map) func([]any) (any, error) {
	return func(args []any) (any, error) {
		m, err := asMaps(args)
		if err != nil {
			return nil, err
		}
		f, err := depend.Accesses{Sink: m[0], Must: m[1], May: m[2], Kill: m[3], Schedule: m[4], Budget: m[0].Budget()}.Flow()
		return which(f), err
	}
}

func depends(args []any) (any, error) {
	m, err := asMaps(args)
	if err != nil {
		return nil, err
	}
	d, err := depend.Program{Writes: m[0], Reads: m[1], Schedule: m[2], Budget: m[0].Budget()}.Memory()
	return d.RAW, err
}

// ofMap tells the dependence of the dimensions that both sides of all pairs have.
func ofMap(args []any) (d depend.Dependence, err error) {
	ms, err := asMaps(args)
	if err != nil {
		return d, err
	}
	loops := depend.MaxLoops
	for _, m := range ms[0].Maps() {
		in, out := m.Tuples()
		loops = min(loops, in.Len(), out.Len())
	}
	t := depend.NewTester()
	t.Budget = ms[0].Budget()
	return t.Of(ms[0], loops)
}

func directions(args []any) (any, error) {
	d, err := ofMap(args)
	if err != nil || !d.Exists() {
		return "none: the map is empty", err
	}
	var out []string
	for _, v := range d.Vectors {
		out = append(out, v.String())
	}
	return strings.Join(out, " "), nil
}

func distance(args []any) (any, error) {
	d, err := ofMap(args)
	if err != nil || !d.Exists() {
		return "none: the map is empty", err
	}
	var out []string
	for _, x := range d.Distances {
		out = append(out, x.String())
	}
	return fmt.Sprintf("(%s)", strings.Join(out, ", ")), nil
}
