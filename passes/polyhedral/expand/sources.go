package expand

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// readTimes are those of readers: before their instances write.
func (l *lifetimes) readTimes() (out presburger.Map, err error) {
	out = l.noMap()
	before, err := l.at(0)
	if err != nil {
		return out, err
	}
	for _, s := range l.sinks {
		if s.kind != readSink && s.kind != selfSink {
			continue
		}
		m, err := before.Compose(l.renaming(s.name, s.st.Name, s.st.Domain.Tuple().Len()))
		if err != nil {
			return out, err
		}
		out = out.Union(m)
	}
	return out, nil
}

// sources finds the life of each read and update.
func (l *lifetimes) sources() error {
	must, err := l.makeBases()
	if err != nil {
		return err
	}
	times, err := l.at(1)
	if err != nil {
		return err
	}
	for _, b := range l.bases {
		if b.st != nil {
			continue
		}
		m, err := l.never(b.name, b.array.Rank, 0)
		if err != nil {
			return err
		}
		times = times.Union(m)
	}
	if err := l.moreSinks(&times); err != nil {
		return err
	}
	before, err := l.readTimes()
	if err != nil {
		return err
	}
	all := l.noMap()
	for _, s := range l.sinks {
		all = all.Union(s.rel)
	}
	f, err := depend.Accesses{Sink: all, Must: must, Schedule: times.Union(before), Budget: l.budget}.Flow()
	if err != nil {
		return err
	}
	rest, err := f.May.WithTotal(l.total).Subtract(f.Must)
	if err != nil {
		return err
	}
	if empty, err := rest.IsEmpty(); err != nil || !empty {
		if err == nil {
			err = refuse("two instances set one element at the same time")
		}
		return err
	}
	return l.attribute(f.Must, all)
}

// makeBases lists the bases, and what they set.
func (l *lifetimes) makeBases() (must presburger.Map, err error) {
	must = l.noMap()
	for _, st := range l.sys.Statements {
		d, ok := l.begins[st]
		if !ok {
			continue
		}
		if d, err = d.WithTotal(l.total).Coalesce(); err != nil {
			return must, err
		}
		l.begins[st] = d
		b := &base{lifetimes: l, name: st.Name, st: st, array: st.Target}
		if b.begins, err = st.Write.WithTotal(l.total).IntersectDomain(d); err != nil {
			return must, err
		}
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
	return must, nil
}

// moreSinks are the updates in lives, what updates that begin some read, and the end.
func (l *lifetimes) moreSinks(times *presburger.Map) error {
	for _, st := range l.sys.Statements {
		if st.Operator == poly.Set {
			continue
		}
		rest := l.alive[st]
		if first, ok := l.begins[st]; ok {
			var err error
			if rest, err = rest.Subtract(first); err != nil {
				return err
			}
			s := &sink{name: st.Name + "__self", kind: selfSink, st: st, array: st.Target}
			if s.rel, err = l.renamed(st.Write, first, s.name, st.Name); err != nil {
				return err
			}
			l.sinks = append(l.sinks, s)
		}
		m, err := st.Write.WithTotal(l.total).IntersectDomain(rest)
		if err != nil {
			return err
		}
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
				image, err := l.alive[st].Apply(st.Write)
				if err != nil {
					return err
				}
				all = all.Union(image)
			}
		}
		var err error
		if s.rel, err = l.renaming(s.name, a.Name, a.Rank).IntersectRange(all); err != nil {
			return err
		}
		m, err := l.never(s.name, a.Rank, 2)
		if err != nil {
			return err
		}
		*times = times.Union(m)
		l.sinks = append(l.sinks, s)
	}
	return nil
}

// attribute gives each sink its part of the flow.
func (l *lifetimes) attribute(must, sinks presburger.Map) error {
	first, err := l.projection(sinks)
	if err != nil {
		return err
	}
	m, err := first.Compose(must.WithTotal(l.total))
	if err != nil {
		return err
	}
	for _, s := range l.sinks {
		s.from = map[*base]presburger.Map{}
		for _, part := range m.Maps() {
			in, out := part.Tuples()
			if out.Name() != s.name {
				continue
			}
			i := slices.IndexFunc(l.bases, func(b *base) bool { return b.name == in.Name() && b.array == s.array })
			if i < 0 {
				return refuse("%s has the name of something else", in.Name())
			}
			if part, err = part.Coalesce(); err != nil {
				return err
			}
			s.from[l.bases[i]] = part
		}
	}
	return nil
}
