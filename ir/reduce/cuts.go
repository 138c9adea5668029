package reduce

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// cutting says what is taken away from an op, by positions.
type cutting struct {
	args, results, regions []int
	params                 [][]int // of each region, or of the graph inside
}

// shape says which lists of an op with regions belong together: what stands at the
// same place from the end of each is one value that is passed around.
type shape struct {
	results, args  bool
	yields, params []int // of which regions; nil for none
	reduce         bool  // and a region of the terminator
}

// shapes lists them for an op with n regions.
func shapes(n int) []shape {
	every := make([]int, n)
	for i := range every {
		every[i] = i
	}
	out := []shape{{args: true}, {results: true}}
	if n > 0 {
		out = append(out,
			shape{results: true, yields: every},                            // of a branch
			shape{results: true, args: true, yields: every, params: every}, // of a loop
			shape{results: true, args: true, yields: every, reduce: true},  // of a parallel loop
			shape{args: true, params: every}, shape{params: every})
	}
	if n == 2 {
		out = append(out, shape{results: true, yields: []int{0}, params: []int{1}}, // of a while: what comes out
			shape{args: true, params: []int{0}, yields: []int{1}}) // what goes around
	}
	return out
}

// cuts takes away operands, results and carried values, one at a time.
func cuts(_ *program, s site) (out []step) {
	regions := s.g.Regions(s.v)
	most := max(len(s.args()), len(s.types()))
	for _, r := range regions {
		most = max(most, len(s.g.Params(r)))
	}
	for _, sh := range shapes(len(regions)) {
		for k := range most {
			if st := sh.cut(s, k); st != nil {
				out = append(out, st)
			}
		}
	}
	return out
}

// cut is the step that takes away place k from the end; nil if a list is too short.
func (sh shape) cut(s site, k int) step {
	regions := s.g.Regions(s.v)
	c := &cutting{params: make([][]int, len(regions))}
	out := one(s, edit{kind: cut, cut: c})
	fits := true
	at := func(n int) []int {
		fits = fits && n > k
		return []int{n - 1 - k}
	}
	if sh.results {
		c.results = at(len(s.types()))
	}
	if sh.args {
		c.args = at(len(s.args()))
	}
	for _, i := range sh.params {
		c.params[i] = at(len(s.g.Params(regions[i])))
	}
	for _, i := range sh.yields {
		t := s.g.Term(regions[i])
		if t == 0 {
			return nil
		}
		y := &cutting{args: at(len(s.g.Args(t)))}
		if sh.reduce {
			y.regions = at(len(s.g.Regions(t)))
		}
		out[site{s.g, t}] = edit{kind: cut, cut: y}
	}
	if !fits {
		return nil
	}
	return out
}

// signatures takes parameters and results away from a function and its calls: all
// parameters that it does not use, and then each.
func signatures(p *program, s site) (out []step) {
	t := signature(s.g.Ctx, s.g.AttrsOf(s.v))
	if t == nil || s.symbol() == "" || len(s.g.Children(s.v)) != 1 {
		return nil
	}
	body := s.g.Children(s.v)[0]
	if free := freeParams(body); len(free) > 1 {
		out = append(out, p.signature(s, free, nil))
	}
	for k := t.NumIn - 1; k >= 0; k-- {
		out = append(out, p.signature(s, []int{k}, nil))
	}
	for k := len(t.Types) - t.NumIn - 1; k >= 0; k-- {
		out = append(out, p.signature(s, nil, []int{k}))
	}
	return out
}

func (p *program) signature(s site, params, results []int) step {
	body := s.g.Children(s.v)[0]
	out := one(s, edit{kind: cut, cut: &cutting{results: results, params: [][]int{params}}})
	if t := body.Term(ir.Root); t != 0 && len(results) > 0 {
		out[site{body, t}] = edit{kind: cut, cut: &cutting{args: results}}
	}
	for _, u := range p.users[s.symbol()] {
		if u.callee() == s.symbol() {
			out[u] = edit{kind: cut, cut: &cutting{args: params, results: results}}
		}
	}
	return out
}

// freeParams lists the parameters of a graph that nothing uses.
func freeParams(g *ir.Graph) (out []int) {
	used := map[ir.Value]bool{}
	for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
		for _, a := range g.Args(v) {
			used[a] = true
		}
	}
	for i, p := range g.Params(ir.Root) {
		if !used[p] {
			out = append(out, i)
		}
	}
	return out
}

// signature is the type of a function, nil of what is none.
func signature(c *ir.Context, attrs ir.Attr) *ir.TypeInfo {
	if attrs == 0 {
		return nil
	}
	a := c.Get(attrs, "function_type")
	if a == 0 || c.AttrInfo(a).Kind != ir.AttrType {
		return nil
	}
	if t := c.Info(c.AttrInfo(a).Type); t.Kind == ir.KindFunction {
		return t
	}
	return nil
}

// attrsOf is what an op carries after a cut: what counts its operands, results or
// regions counts what is left.
func (k *cutting) attrsOf(c *ir.Context, attrs ir.Attr, regions int) ir.Attr {
	if attrs == 0 {
		return 0
	}
	if t := signature(c, attrs); t != nil && len(k.params) > 0 {
		f := c.Func(without(t.Types[:t.NumIn], k.params[0]), without(t.Types[t.NumIn:], k.results))
		attrs = c.With(attrs, "function_type", c.TypeAttr(f))
		attrs = shorter(c, attrs, "arg_attrs", k.params[0])
		return shorter(c, attrs, "res_attrs", k.results)
	}
	if seg := c.Get(attrs, "operandSegmentSizes"); seg != 0 && len(k.args) > 0 {
		attrs = c.With(attrs, "operandSegmentSizes", c.DenseArray(ir.I32, segments(c.Ints(seg), k.args)...))
	}
	if len(k.regions) > 0 { // all regions but the first have an element
		for _, e := range c.AttrInfo(attrs).Dict {
			info := c.AttrInfo(e.Value)
			if list := c.Ints(e.Value); info.Kind == ir.AttrDenseArray && len(list) == regions-1 && k.regions[0] > 0 {
				attrs = c.With(attrs, e.Name, c.DenseArray(info.Type, slices.Delete(slices.Clone(list), k.regions[0]-1, k.regions[0])...))
			}
		}
	}
	return attrs
}

// segments is sizes of runs of operands less those operands.
func segments(sizes []int64, args []int) []int64 {
	out := slices.Clone(sizes)
	for _, a := range args {
		first := int64(0)
		for i, n := range sizes {
			if int64(a) < first+n && int64(a) >= first {
				out[i]--
			}
			first += n
		}
	}
	return out
}

// shorter takes elements away from an array attribute, and it too if nothing is left.
func shorter(c *ir.Context, attrs ir.Attr, name string, places []int) ir.Attr {
	a := c.Get(attrs, name)
	if a == 0 || len(places) == 0 {
		return attrs
	}
	list := without(c.AttrInfo(a).List, places)
	if len(list) == 0 {
		return unset(c, attrs, name)
	}
	return c.With(attrs, name, c.ArrayAttr(list...))
}

// unset leaves an attribute out.
func unset(c *ir.Context, attrs ir.Attr, name string) ir.Attr {
	info := c.AttrInfo(attrs)
	other := func(list []ir.NamedAttr) []ir.NamedAttr {
		return slices.DeleteFunc(slices.Clone(list), func(e ir.NamedAttr) bool { return e.Name == name })
	}
	return c.Props(other(info.Dict), other(info.Attrs))
}

// without leaves out the elements at some places.
func without[T any](list []T, places []int) []T {
	if len(places) == 0 {
		return list
	}
	out := make([]T, 0, len(list))
	for i, x := range list {
		if !slices.Contains(places, i) {
			out = append(out, x)
		}
	}
	return out
}
