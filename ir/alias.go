package ir

import "slices"

// Refs says how the result y of an op is related to what other values refer to.
// These are the four pointer operations of LMS ("Effects"): y = x, *y = x,
// y = *x and *y = *x.
type Refs struct {
	Alias   []Value // y may be x
	Contain []Value // an element of y may be x
	Extract []Value // y may be an element of x
	Copy    []Value // an element of y may be an element of x
}

// reach is what a value may refer to: itself (shallow), and through its elements
// (deep).
type reach struct{ shallow, deep []Resource }

// Targets lists the memory that a value may be. For the result of an op that
// declares Refs this is
//
//	shallow(y) = own(alias) + shallow(alias) + deep(extract)
//	deep(y)    = deep(alias + copy + extract) + own, shallow and deep(contain)
//
// and nothing at all where that is empty: it never changes. Any other value is
// its ResourceOf.
func (b *Builder) Targets(v Value) []Resource { return b.reachOf(v).shallow }

// TargetsWithin lists the memory that the elements of a value may be.
func (b *Builder) TargetsWithin(v Value) []Resource { return b.reachOf(v).deep }

func (b *Builder) reachOf(v Value) reach {
	if b.g.nodes[v].typ < numFixedTypes {
		return reach{}
	}
	r, said := b.refs[v]
	switch own, ok := b.resources[v]; {
	case ok && said:
		r.shallow = append([]Resource{own}, r.shallow...)
	case ok:
		r = reach{[]Resource{own}, []Resource{Memory}}
	case !said:
		u := []Resource{b.ResourceOf(v)}
		r = reach{u, u}
	}
	return r
}

// relate notes what the result of an op may refer to.
func (b *Builder) relate(v Value, c *Call) {
	if k := c.Ctx().Info(c.Type).Kind; k != KindMemRef && k != KindOpaque {
		return // it refers to no memory
	}
	var to reach
	refs := c.Def.Refs(c)
	for _, x := range refs.Alias {
		r := b.reachOf(x)
		to.shallow, to.deep = append(to.shallow, r.shallow...), append(to.deep, r.deep...)
	}
	for _, x := range refs.Contain {
		r := b.reachOf(x)
		to.deep = append(append(to.deep, r.shallow...), r.deep...)
	}
	for _, x := range refs.Extract {
		r := b.reachOf(x)
		to.shallow, to.deep = append(to.shallow, r.deep...), append(to.deep, r.deep...)
	}
	for _, x := range refs.Copy {
		to.deep = append(to.deep, b.reachOf(x).deep...)
	}
	for _, s := range []*[]Resource{&to.shallow, &to.deep} {
		slices.Sort(*s)
		*s = slices.Compact(*s)
	}
	if b.refs == nil {
		b.refs = map[Value]reach{}
	}
	b.refs[v] = to
}

// escape notes that all that a value may refer to is kept by someone.
func (b *Builder) escape(v Value) {
	r, ok := b.refs[v]
	if !ok {
		return
	}
	for _, s := range [][]Resource{r.shallow, r.deep} {
		for _, x := range s {
			if x >= numFixedResources {
				b.keep(x)
			}
		}
	}
}
