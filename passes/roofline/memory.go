package roofline

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
)

// memory counts the bytes of the elements that are read before they are written, and of those that are written.
func (c *counter) memory() error {
	var seen []ir.Value
	for _, a := range c.acc.List {
		known := false
		for _, m := range seen {
			known = known || m == a.Memory
		}
		if known {
			continue
		}
		seen = append(seen, a.Memory)
		if err := c.elements(a.Memory); err != nil {
			return err
		}
	}
	return nil
}

// elements counts those of one memory.
func (c *counter) elements(memory ir.Value) error {
	var reads, writes []raise.Access
	anywhere := false // something may be written of which it is not known where
	for _, a := range c.acc.List {
		if a.Memory != memory {
			continue
		}
		if a.Whole || a.Box || !c.acc.Bodies[c.bodies[c.s.Place(a.Op)]].Exact {
			c.notCounted("elements at indices, or under conditions, that are not affine are not counted")
			anywhere = anywhere || a.Writes
			continue
		}
		if a.Writes {
			writes = append(writes, a)
		} else {
			reads = append(reads, a)
		}
	}
	if anywhere { // before what is read
		reads = nil
	}
	bytes := int64(max(1, c.g.Ctx.Info(c.g.Ctx.Info(c.g.Type(memory)).Elem).Width/8))
	written, err := c.union(writes, func(a raise.Access) (presburger.Set, error) { return touched(a) })
	if err == nil {
		err = c.measure(&c.out.Written, written, bytes)
	}
	if err != nil {
		return err
	}
	read, err := c.union(reads, func(a raise.Access) (presburger.Set, error) { return c.before(a, writes, written) })
	if err != nil {
		return err
	}
	return c.measure(&c.out.Read, read, bytes)
}

// union joins the sets that of makes of accesses; without any it is the zero set.
func (c *counter) union(list []raise.Access, of func(a raise.Access) (presburger.Set, error)) (out presburger.Set, err error) {
	for i, a := range list {
		s, err := of(a)
		if err != nil {
			return out, err
		}
		if i == 0 {
			out = s
		} else {
			out = out.Union(s)
		}
	}
	return out, nil
}

// measure adds the number of elements of a set to an amount.
func (c *counter) measure(to *Amount, s presburger.Set, bytes int64) error {
	if empty, err := s.IsEmpty(); err != nil || empty {
		return err
	}
	s, err := s.WithBudget(workOfSets).IntersectParams(c.acc.Known)
	if err == nil {
		s, err = s.Coalesce()
	}
	if err != nil {
		return err
	}
	n, err := s.AlignParams(c.acc.Params...).Card()
	if err != nil {
		return err
	}
	to.add(n, bytes)
	return nil
}

// touched are the elements that an access accesses.
func touched(a raise.Access) (presburger.Set, error) {
	m, err := a.Element.WithBudget(workOfSets).IntersectDomain(a.Domain)
	return m.Range(), err
}

// before are the elements of which a read is an iteration before all those that write them. If that takes too
// long it is those that nothing writes.
func (c *counter) before(read raise.Access, writes []raise.Access, written presburger.Set) (presburger.Set, error) {
	all, err := read.Element.WithBudget(workOfSets).IntersectDomain(read.Domain)
	if err != nil {
		return presburger.Set{}, err
	}
	first := all
	for _, w := range writes {
		late, err := after(read, w)
		if err == nil {
			first, err = first.Subtract(late)
		}
		if err != nil {
			return all.Range().Subtract(written)
		}
	}
	return first.Range(), nil
}

// after relates the iterations of a read to those elements that a write has written before.
func after(read, write raise.Access) (presburger.Map, error) {
	m, err := write.Element.WithBudget(workOfSets).IntersectDomain(write.Domain)
	if err != nil {
		return m, err
	}
	order, err := earlier(read, write)
	if err != nil {
		return m, err
	}
	out, err := m.Compose(order)
	if err != nil {
		return out, err
	}
	return out.IntersectDomain(read.Domain)
}

// earlier relates the iterations of a read to those of a write that come before.
func earlier(read, write raise.Access) (presburger.Map, error) {
	common := 0
	for common < min(len(read.Loops), len(write.Loops)) && read.Loops[common] == write.Loops[common] {
		common++
	}
	names := func(prefix string, n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("%s%d", prefix, i)
		}
		return out
	}
	x, y := names("x", read.Domain.Tuple().Len()), names("y", write.Domain.Tuple().Len())
	var ways []string
	same := ""
	// This is the lexicographic order: equal in the loops before, less in this one; then the place in the
	// text decides.
	for l := range common {
		ways = append(ways, "("+same+y[l]+" < "+x[l]+")")
		same += y[l] + " = " + x[l] + " and "
	}
	if write.Time < read.Time {
		ways = append(ways, "("+same+"0 = 0)")
	}
	where := strings.Join(ways, " or ")
	if len(ways) == 0 {
		where = "0 = 1"
	}
	return presburger.ParseMap(fmt.Sprintf("{ %s[%s] -> %s[%s] : %s }", read.Domain.Tuple().Name(), strings.Join(x, ", "), write.Domain.Tuple().Name(), strings.Join(y, ", "), where))
}
