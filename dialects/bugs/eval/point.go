package eval

import (
	"iter"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// Assign puts the values of a file of initial values, or of a point, into a state.
// It returns warnings for what has no place there, errors for what does not fit,
// and reports which parameters have got a value.
func Assign(m *model.Model, st State, point *input.Data) (given Assigned, list diag.List) {
	given = make(Assigned, len(m.Vars))
	for i, v := range m.Vars {
		given[i].Len = v.Len()
	}
	list = point.OpenFrames(func(name string) bool { return m.ByName[name] != nil })
	for _, name := range point.Names {
		a, at := point.Get(name), point.Span(name)
		v := m.ByName[name]
		switch {
		case v == nil:
			d := diag.Warningf(at, "the model has no parameter %s", name)
			names := lists.Map(m.Parameters(), func(p *model.Var) string { return p.Name })
			if near := diag.Nearest(name, names); near != "" {
				d.WithFix("did you mean %s?", near)
			}
			list = append(list, d)
			continue
		case !sameShape(v, a):
			d := diag.Errorf(at, "%s is %s here, and %s in the model", name, model.SpellShape(a.Dims), model.SpellShape(v.Dims))
			if d.WithFix("give a value for each element, null (NA in R) where it is no parameter"); len(v.Dims) == 0 {
				d.WithFix("give one number; rows that are draws or chains are points, for -points")
			}
			list = append(list, d)
			continue
		}
		if v.Count(model.Parameter) == v.Len() && a.Missing == nil {
			copy(st[v.ID], a.Values)
			given[v.ID] = model.FullMask(v.Len())
			continue
		}
		ignored := model.Undefined
		for k, x := range a.Values {
			if a.IsMissing(k) {
				continue
			}
			c := model.Parameter
			if v.Count(model.Parameter) < v.Len() {
				c = v.ClassAt(k)
			}
			if c == model.Parameter {
				st[v.ID][k] = x
				given[v.ID].Set(k)
			} else {
				ignored = max(ignored, c)
			}
		}
		switch ignored {
		case model.Logical:
			list = append(list, diag.Warningf(at, "%s is a logical node: its value here is ignored", name).WithFix("remove it: the model computes it"))
		case model.Known, model.Observed:
			list = append(list, diag.Warningf(at, "%s is observed: its value here is ignored", name).WithFix("remove it, or write null (NA in R) for the elements that the data give"))
		}
	}
	return given, list
}

// sameShape compares shapes; a scalar is as good as a vector of one element, and
// trailing elements that the file leaves out are an error.
func sameShape(v *model.Var, a *input.Array) bool {
	if v.Len() == 1 && len(a.Values) == 1 {
		return true
	}
	if len(v.Dims) != len(a.Dims) {
		return false
	}
	for d, n := range v.Dims {
		if a.Dims[d] != n {
			return false
		}
	}
	return true
}

// Names are those of elements, of which there may be very many.
type Names struct {
	Len int
	All iter.Seq[string]
}

// Missing are the parameters that have no value.
func Missing(m *model.Model, given Assigned) (out Names) {
	for _, v := range m.Vars {
		out.Len += given.Others(v)
	}
	out.All = func(yield func(string) bool) {
		for _, v := range m.Vars {
			if given.Others(v) == 0 {
				continue
			}
			all, have := v.Count(model.Parameter) == v.Len(), given.of(v)
			for k := range v.Len() {
				if !have.Has(k) && (all || v.ClassAt(k) == model.Parameter) && !yield(v.ElemName(k)) {
					return
				}
			}
		}
	}
	return out
}
