package loops

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
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
	a, errA := o.access(c.i, c.exact)
	b, errB := o.access(c.j, c.exact)
	if errA != nil || errB != nil {
		return "", "", false
	}
	x, y, ok := o.tester.Sample(a, b, v, workOfSample)
	write := func(coords []presburger.Int) string {
		return "(" + strings.Join(lists.Map(coords[:v.Len()], presburger.Int.String), ", ") + ")"
	}
	if !ok {
		return "", "", false
	}
	return write(y), write(x), true
}
