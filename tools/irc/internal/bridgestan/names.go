package bridgestan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// An element is that of a variable.
type element struct {
	v *model.Var
	k int
}

// name is that of an element as Stan spells it: b.2.3.
func (e element) name() string {
	name, rest, indexed := strings.Cut(e.v.ElemName(e.k), "[")
	if !indexed {
		return name
	}
	return name + "." + strings.ReplaceAll(strings.TrimSuffix(rest, "]"), ",", ".")
}

// elements lists those with a role, by variable, and column by column within one.
func elements(m *model.Model, role roles.Role) (out []element) {
	for _, v := range m.Vars {
		if v.Table || roles.Counts(m, v)[role] == 0 {
			continue
		}
		byColumns(v.Dims, func(k int) {
			if roles.Of(m, v, k) == role {
				out = append(out, element{v, k})
			}
		})
	}
	return out
}

// byColumns visits the elements of an array, which are stored row by row, column by column.
func byColumns(dims []int, visit func(k int)) {
	at := make([]int, len(dims))
	for {
		k := 0
		for d, n := range dims {
			k = k*n + at[d]
		}
		visit(k)
		d := 0
		for ; d < len(dims); d++ {
			if at[d]++; at[d] < dims[d] {
				break
			}
			at[d] = 0
		}
		if d == len(dims) {
			return
		}
	}
}

// names writes the names of nodes, and where their values are.
func (w *writer) names(constrain, unconstrain, generate *plan) error {
	m := w.l.Model
	w.text("bs.name", m.Name)
	info := "made by irc; constants are kept whether propto is asked for or not"
	if w.l.Product == nil {
		info += "; Hessians are differences of gradients"
	}
	w.text("bs.info", info)
	params, computed, generated := elements(m, roles.RoleParameter), elements(m, roles.TransformedParameter), elements(m, roles.GeneratedQuantity)
	var counts []int
	var all, tables []string
	known := len(generated) == 0 || w.l.Generate != nil
	for which := range 4 {
		list := slices.Clone(params)
		if which&1 != 0 {
			list = append(list, computed...)
		}
		if which&2 != 0 {
			list = append(list, generated...)
		}
		counts = append(counts, len(list))
		all = append(all, strings.Join(lists.Map(list, element.name), ","))
		table := "null"
		if which&2 == 0 || known {
			table = fmt.Sprintf("@bs.places.%d", which)
			p := constrain
			if which&2 != 0 {
				p = generate
			}
			from, err := places(p, list)
			if err != nil {
				return err
			}
			w.integers(table[1:], "i64", from)
		}
		tables = append(tables, "ptr "+table)
	}
	w.line("@bs.places = internal constant [4 x ptr] [%s]", strings.Join(tables, ", "))
	w.pointers("bs.names", all)
	w.integers("bs.counts", "i32", counts)
	var coordinates []string
	for i := range w.l.Space.Len() {
		c := w.l.Space.At(i)
		coordinates = append(coordinates, element{c.Var, c.Elem}.name())
	}
	w.pointers("bs.name.of", coordinates)
	w.text("bs.names.unconstrained", strings.Join(coordinates, ","))
	to, err := places(unconstrain, params)
	if err != nil {
		return err
	}
	w.integers("bs.at.unconstrained", "i64", to)
	return nil
}

// places are those of elements in the memory of a call.
func places(p *plan, list []element) (out []int, err error) {
	for _, e := range list {
		at := p.where(place{name: e.v.Name})
		if at < 0 {
			return nil, fmt.Errorf("bridgestan: @%s has no argument for %s", p.r.Name, e.v.Name)
		}
		out = append(out, at+e.k)
	}
	return out, nil
}

// A row is a name of an object in JSON.
type row struct {
	name  string
	dims  []int
	given []float64 // what the library was made for; nil: any
	goes  int       // where the numbers go; -1: they have to be the same
	most  float64   // the largest that may go there
}

func (w *writer) table(name string, rows []row) {
	items := lists.Map(rows, func(r row) string {
		w.strings++
		sizes, given := fmt.Sprintf("bs.sizes.%d", w.strings), "null"
		w.integers(sizes, "i64", r.dims)
		if r.given != nil {
			given = fmt.Sprintf("@bs.given.%d", w.strings)
			w.doubles(given[1:], r.given)
		}
		return fmt.Sprintf("%%bs.row { ptr %s, i64 %d, ptr @%s, i64 %d, ptr %s, i64 %d, double %s }", w.named(r.name), len(r.dims), sizes, ir.Elements(r.dims), given, r.goes, spelled(r.most))
	})
	w.integer("bs.rows."+name, len(rows))
	w.line("@bs.table.%s = internal constant [%d x %%bs.row] [%s]", name, len(rows), strings.Join(items, ", "))
}

// mostOf is the largest value of a variable for which the densities of counts keep their digits, if none was larger.
func mostOf(m *model.Model, v *model.Var) float64 {
	counts := slices.ContainsFunc(m.Statements, func(s *model.Statement) bool { return s.Var == v && s.Sample != nil && s.Dist.Law.Counts })
	if counts && !slices.ContainsFunc(v.Value, func(x float64) bool { return x > kit.Large }) {
		return kit.Large
	}
	return math.Inf(1)
}

// data writes what the JSON of a model's data has to say.
func (w *writer) data(data *input.Data, free map[string]bool) {
	var rows []row
	for _, name := range data.Names {
		a, v := data.Get(name), w.l.Model.Lookup(name)
		if v == nil { // the model does not use it
			continue
		}
		r := row{name: name, dims: a.Dims, given: a.Values, goes: -1, most: mostOf(w.l.Model, v)}
		if at, ok := w.fixed[name]; ok && free[name] {
			r.goes = at
		}
		rows = append(rows, r)
	}
	w.table("data", rows)
}

// parameters writes what the JSON of the nodes has to say.
func (w *writer) parameters(unconstrain *plan) {
	var rows []row
	for _, v := range w.l.Model.Vars {
		if at := unconstrain.where(place{name: v.Name}); at >= 0 && roles.Counts(w.l.Model, v)[roles.RoleParameter] > 0 {
			rows = append(rows, row{name: v.Name, dims: v.Dims, goes: at, most: math.Inf(1)})
		}
	}
	w.table("parameters", rows)
}
