package expand

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// readTimes are those of readers: before their instances write.
func (l *lifetimes) readTimes() (out presburger.Map) {
	out = l.noMap()
	before := l.at(0)
	for _, s := range l.sinks {
		if s.kind != readSink && s.kind != selfSink {
			continue
		}
		m := unwind.Must(before.Compose(l.renaming(s.name, s.st.Name, s.st.Domain.Tuple().Len())))
		out = out.Union(m)
	}
	return out
}

// sources finds the life of each read and update.
func (l *lifetimes) sources() {
	must := l.makeBases()
	// An instance reads at 0 and writes at 1, so it never reads what it sets itself.
	times := l.at(1)
	for _, b := range l.bases {
		if b.st != nil {
			continue
		}
		m := l.never(b.name, b.array.Rank, 0)
		times = times.Union(m)
	}
	l.moreSinks(&times)
	before := l.readTimes()
	all := l.noMap()
	for _, s := range l.sinks {
		all = all.Union(s.rel)
	}
	f := unwind.Must(depend.Accesses{Sink: all, Must: must, Schedule: times.Union(before), Budget: l.budget}.Flow())
	// A source that only may be the last has a rival at the same time.
	rest := unwind.Must(f.May.WithTotal(l.total).Subtract(f.Must))
	if empty, err := rest.IsEmpty(); err != nil || !empty {
		if err == nil {
			err = refuse("two instances set one element at the same time")
		}
		unwind.Check(err)
		return
	}
	l.attribute(f.Must, all)
}

// makeBases lists the bases, and what they set.
func (l *lifetimes) makeBases() (must presburger.Map) {
	must = l.noMap()
	for _, st := range l.sys.Statements {
		d, ok := l.begins[st]
		if !ok {
			continue
		}
		d = unwind.Must(d.WithTotal(l.total).Coalesce())
		l.begins[st] = d
		b := &base{lifetimes: l, name: st.Name, st: st, array: st.Target}
		b.begins = unwind.Must(st.Write.WithTotal(l.total).IntersectDomain(d))
		l.bases = append(l.bases, b)
		must = must.Union(b.begins)
	}
	for _, a := range l.sys.Arrays {
		if l.isWritten(a) {
			b := &base{lifetimes: l, name: "__old_" + a.Name, array: a}
			b.begins = l.renaming(b.name, a.Name, a.Rank)
			l.bases = append(l.bases, b)
			must = must.Union(b.begins)
		}
	}
	return must
}

// moreSinks are the updates in lives, what updates that begin some read, and the end.
func (l *lifetimes) moreSinks(times *presburger.Map) {
	for _, st := range l.sys.Statements {
		if st.Operator == poly.Set {
			continue
		}
		rest := l.alive[st]
		if first, ok := l.begins[st]; ok {
			rest = unwind.Must(rest.Subtract(first))
			s := &sink{name: st.Name + "__self", kind: selfSink, st: st, array: st.Target}
			s.rel = l.renamed(st.Write, first, s.name, st.Name)
			l.sinks = append(l.sinks, s)
		}
		m := unwind.Must(st.Write.WithTotal(l.total).IntersectDomain(rest))
		l.sinks = append(l.sinks, &sink{name: st.Name, kind: updateSink, st: st, array: st.Target, rel: m})
	}
	for _, a := range l.sys.Arrays {
		if !l.isWritten(a) || l.dies[a] {
			continue
		}
		s := &sink{name: "__end_" + a.Name, kind: endSink, array: a}
		all := l.noSet()
		for _, st := range l.sys.Statements {
			if st.Target == a {
				image := unwind.Must(l.alive[st].Apply(st.Write))
				all = all.Union(image)
			}
		}
		s.rel = unwind.Must(l.renaming(s.name, a.Name, a.Rank).IntersectRange(all))
		m := l.never(s.name, a.Rank, 2)
		*times = times.Union(m)
		l.sinks = append(l.sinks, s)
	}
}

// attribute gives each sink its part of the flow.
func (l *lifetimes) attribute(must, sinks presburger.Map) {
	first := l.projection(sinks)
	m := unwind.Must(first.Compose(must.WithTotal(l.total)))
	for _, s := range l.sinks {
		s.from = map[*base]presburger.Map{}
		for _, part := range m.Maps() {
			in, out := part.Tuples()
			if out.Name() != s.name {
				continue
			}
			i := slices.IndexFunc(l.bases, func(b *base) bool { return b.name == in.Name() && b.array == s.array })
			if i < 0 {
				panic(unwind.Failed(refuse("%s has the name of something else", in.Name())))
			}
			part = unwind.Must(part.Coalesce())
			s.from[l.bases[i]] = part
		}
	}
}
