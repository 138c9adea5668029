package expand

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// bodyKind is what an instance of a unit yields.
type bodyKind int

const (
	ownBody    bodyKind = iota // what the body of its statement does
	constBody                  // a number
	copyBody                   // what it reads
	onwardBody                 // what was there before, the last that it reads, combined with what the body does
)

// A unit is instances that become statements, with all that they may read and write.
type unit struct {
	st       *poly.Stmt // or nil
	tuple    string     // of its instances
	domain   presburger.Set
	operator poly.Operator
	body     bodyKind
	by       loop.Combine // of an onwardBody
	same     ir.Val       // of a constBody
	write    []home
	reads    [][]home
}

// equations lists the units of all bases, updates, and what memory has in the end.
func (x *expansion) equations() {
	for _, b := range x.bases {
		x.begin(b)
	}
	for _, st := range x.sys.Statements {
		if st.Operator != poly.Set {
			x.update(st)
		}
	}
	for _, s := range x.sinks {
		if s.kind == endSink {
			x.end(s)
		}
	}
	for _, a := range x.arrays {
		a.defined = unwind.Must(a.defined.WithTotal(x.total).Coalesce())
	}
	x.identities()
}

// unit adds a unit that has instances: who makes one need not ask whether its set is empty.
func (x *expansion) unit(u *unit) {
	u.domain = unwind.Must(u.domain.Coalesce())
	if !unwind.Must(u.domain.IsEmpty()) {
		x.units = append(x.units, u)
	}
}

// begin makes what lives begin with: sets, of those that are not updated, else updates.
func (x *expansion) begin(b *base) {
	alone := unwind.Must(b.live.Subtract(b.isUpdated()))
	domains := []presburger.Set{alone}
	operators := []poly.Operator{poly.Set}
	for _, op := range b.operators() {
		d := unwind.Must(b.live.Intersect(b.updated[op]))
		domains, operators = append(domains, d), append(operators, op)
	}
	for i, d := range domains {
		u := &unit{st: b.st, tuple: b.name, domain: d, operator: operators[i], write: b.homes}
		switch {
		case b.st == nil && i == 0:
			continue
		case b.st == nil:
			a := x.olds[b.array]
			u.body, u.reads = copyBody, [][]home{{{a, x.renaming(b.name, a.name, a.rank)}}}
		case b.isConst:
			u.body, u.same = constBody, b.same
		case b.st.Operator == poly.Set:
			u.reads = x.reads(b.st)
		default:
			x.onward(u, b.st, operators[i] != b.st.Operator)
		}
		x.unit(u)
	}
}

// onward is an update that begins lives: alone it combines what was there with what is added; of lives that go
// on by the same operator what was there is an update, and what is added is one as it was.
func (x *expansion) onward(u *unit, st *poly.Stmt, alone bool) {
	var own *sink
	for _, s := range x.sinks {
		if s.kind == selfSink && s.st == st {
			own = s
		}
	}
	from := unwind.Must(x.found(own, st.Name))
	u.body, u.reads = copyBody, [][]home{from}
	if !alone {
		return
	}
	u.body = onwardBody
	u.by, _ = st.Operator.Combine()
	u.reads = x.reads(st)
	u.reads = append(u.reads, from)
}

// update makes the updates of lives, and those that begin lives that go on.
func (x *expansion) update(st *poly.Stmt) {
	u := &unit{st: st, tuple: st.Name, operator: st.Operator, domain: x.noSet()}
	for _, s := range x.sinks {
		if s.kind != updateSink || s.st != st {
			continue
		}
		to := unwind.Must(x.found(s, st.Name))
		for _, h := range to {
			if !h.array.written {
				continue // the lives of which nothing is updated
			}
			u.domain = u.domain.Union(h.at.Domain())
			u.write = join(u.write, []home{h})
		}
	}
	for _, b := range x.bases {
		if b.st != st {
			continue
		}
		// By another operator lives go on as sets that are updated: see begin.
		d := unwind.Must(b.live.Intersect(b.updated[st.Operator]))
		for _, h := range b.homes {
			m := unwind.Must(h.at.IntersectDomain(d))
			u.write = join(u.write, []home{{h.array, m}})
		}
		u.domain = u.domain.Union(d)
	}
	u.reads = x.reads(st)
	x.unit(u)
}

// join adds homes, with one relation for each array.
func join(list, more []home) []home {
next:
	for _, h := range more {
		if len(h.at.Basics()) == 0 {
			continue
		}
		for i := range list {
			if list[i].array == h.array {
				list[i].at = list[i].at.Union(h.at)
				continue next
			}
		}
		list = append(list, h)
	}
	return list
}

// end copies what memory has in the end and has its home somewhere else.
func (x *expansion) end(s *sink) {
	for _, b := range x.origins(s) {
		if x.isAt(b, s.array) {
			continue
		}
		m := s.from[b]
		if b.st == nil {
			m = unwind.Must(m.IntersectDomain(b.isUpdated()))
		}
		to := x.keep(s.array)
		u := &unit{st: b.st, tuple: s.name, domain: m.Range(), operator: poly.Set, body: copyBody,
			write: []home{{to, x.renaming(s.name, to.name, to.rank)}}}
		from := x.through(b, m, s.name, s.name)
		u.reads = [][]home{from}
		image := unwind.Must(u.domain.Apply(u.write[0].at))
		to.written, to.defined = true, image.Union(to.defined)
		x.unit(u)
	}
}

// reads are where a statement finds what it reads.
func (x *expansion) reads(st *poly.Stmt) (out [][]home) {
	for k, r := range st.Reads {
		if !x.isWritten(r.Array) {
			out = append(out, []home{{x.keep(r.Array), r.Map}})
			continue
		}
		list, err := x.found(x.reader(st, k), st.Name)
		if err == nil && len(list) == 0 {
			err = refuse("%s reads no element of %s", st.Name, r.Array.Name)
		}
		if err != nil {
			panic(unwind.Failed(err))
		}
		out = append(out, list)
	}
	return out
}

// found is where a sink finds the values that it needs, with its instances named as those of a statement.
func (x *expansion) found(s *sink, name string) (out []home, err error) {
	defer unwind.To(&err)
	for _, b := range x.origins(s) {
		list := x.through(b, s.from[b], s.name, name)
		out = join(out, list)
	}
	return out, nil
}

// through is where instances that a relation leads to a base find its value: one home for each array that
// has a part of it. name is the tuple of the relation, sink the one to give it.
func (x *expansion) through(b *base, from presburger.Map, sink, name string) (out []home) {
	for _, h := range b.homes {
		m := unwind.Must(h.at.Compose(from.Inverse()))
		if len(m.Basics()) == 0 {
			continue
		}
		in, _ := m.Tuples()
		if name != sink {
			m = unwind.Must(m.Compose(x.renaming(name, sink, in.Len())))
		}
		out = append(out, home{h.array, m})
	}
	return out
}

// identities leaves out what begins with the identity of the one operator of the reductions of its array: an
// element that nothing is added to has it, too.
func (x *expansion) identities() {
	operators := map[*array]map[poly.Operator]bool{}
	for _, u := range x.units {
		if u.operator == poly.Set || u.body == constBody {
			continue
		}
		for _, h := range u.write {
			if operators[h.array] == nil {
				operators[h.array] = map[poly.Operator]bool{}
			}
			operators[h.array][u.operator] = true
		}
	}
	var rest []*unit
	for _, u := range x.units {
		if u.body == constBody && len(u.write) == 1 && isIdentity(x.sys.Node.Graph().Ctx, u, operators[u.write[0].array]) {
			continue
		}
		rest = append(rest, u)
	}
	x.units = rest
}

// isIdentity reports a unit that gives what its array has anyway. Without an extent an array has the
// identity only where something is added, so there a set has to stay.
func isIdentity(c *ir.Context, u *unit, operators map[poly.Operator]bool) bool {
	if len(operators) != 1 {
		return false
	}
	for op := range operators {
		if u.operator == poly.Set && !u.write[0].array.hasExtent() {
			return false // then only what something is added to has the identity
		}
		if op.Identity(c, u.write[0].array.elem) != u.same || u.operator != poly.Set && u.operator != op {
			return false
		}
	}
	return true
}
