package loops

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
)

// says is a conflict for people: what the second access does to what the first did, with the array, how far the
// iterations are apart, of pairs in the direction v, and two of them.
func (o *order) says(c conflict, v depend.Vector) string {
	does := "overwrites"
	did := "reads"
	if !c.to.Writes {
		does = "reads"
	}
	if c.from.Writes {
		did = "writes"
	}
	what := "what"
	if !c.exact {
		what = "what perhaps"
	}
	at, of := "", ""
	if x, y, ok := o.sample(c, v); ok {
		at, of = " in iteration "+x, " in iteration "+y
	}
	text := fmt.Sprintf("%s %s%s %s %s %s of %s%s, at distance %s", o.at(c.to.Op), does, at, what, o.at(c.from.Op), did, o.array(c.from), of, distance(c.Dependence, v))
	if !c.exact {
		text += o.inexact(c)
	}
	return text
}

// inexact says why it is not known which element is accessed.
func (o *order) inexact(c conflict) string {
	if c.from.Memory != c.to.Memory {
		return fmt.Sprintf("; %s may be the same memory as %s: arguments are apart where they are declared {llvm.noalias}", o.array(c.from), o.array(c.to))
	}
	at := c.from
	if !at.Whole {
		at = c.to
	}
	return fmt.Sprintf("; which element %s accesses is not affine", o.at(at.Op))
}

// array names memory: an argument as it prints, or what made it.
func (o *order) array(a raise.Access) string {
	v := a.Memory
	if r, i, ok := o.g.Param(v); ok && r == ir.Root {
		return fmt.Sprintf("%%arg%d", i)
	}
	return "the memory of " + o.at(v)
}

// distance writes how far apart the iterations are, loop by loop: a number where it is always the same, else
// the direction.
func distance(d depend.Dependence, v depend.Vector) string {
	out := make([]string, v.Len())
	for l := range out {
		if out[l] = v.At(l).String(); l < len(d.Distances) && d.Distances[l].Known {
			out[l] = d.Distances[l].String()
		}
	}
	return "(" + strings.Join(out, ", ") + ")"
}

// workOfSample is what it may take to find two iterations to show, in steps.
const workOfSample = 200_000

// sample finds two iterations of a conflict in a direction.
func (o *order) sample(c conflict, v depend.Vector) (to, from string, ok bool) {
	list := o.acc.List
	m, n := list[c.i].Element, list[c.j].Element
	if !c.exact {
		m, n = o.any(c.i), o.any(c.j)
	}
	pairs, err := n.Inverse().WithBudget(workOfSample).Compose(m)
	if err == nil {
		pairs, err = pairs.IntersectDomain(list[c.i].Domain)
	}
	if err == nil {
		pairs, err = pairs.IntersectRange(list[c.j].Domain)
	}
	if err == nil {
		var directed presburger.Map
		if directed, err = direction(list[c.i].Domain.Tuple(), list[c.j].Domain.Tuple(), v); err == nil {
			pairs, err = pairs.Intersect(directed)
		}
	}
	if err == nil {
		pairs, err = pairs.IntersectParams(o.acc.Known)
	}
	if err != nil {
		return "", "", false
	}
	p, ok, err := pairs.Wrap().Sample()
	if err != nil || !ok {
		return "", "", false
	}
	k := list[c.i].Domain.Tuple().Len()
	write := func(coords []presburger.Int) string {
		out := make([]string, v.Len())
		for l := range out {
			out[l] = coords[l].String()
		}
		return "(" + strings.Join(out, ", ") + ")"
	}
	return write(p.Coords[k:]), write(p.Coords[:k]), true
}

// direction relates iterations whose distances have the signs of a vector.
func direction(from, to presburger.Tuple, v depend.Vector) (presburger.Map, error) {
	names := func(prefix string, n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("%s%d", prefix, i)
		}
		return out
	}
	x, y := names("x", from.Len()), names("y", to.Len())
	var is []string
	for l := range v.Len() {
		var some []string
		for _, s := range []struct {
			sign depend.Sign
			op   string
		}{{depend.Negative, "<"}, {depend.Zero, "="}, {depend.Positive, ">"}} {
			if v.At(l)&s.sign != 0 {
				some = append(some, y[l]+" "+s.op+" "+x[l])
			}
		}
		is = append(is, "("+strings.Join(some, " or ")+")")
	}
	where := ""
	if len(is) > 0 {
		where = " : " + strings.Join(is, " and ")
	}
	return presburger.ParseMap(fmt.Sprintf("{ %s[%s] -> %s[%s]%s }", from.Name(), strings.Join(x, ", "), to.Name(), strings.Join(y, ", "), where))
}
