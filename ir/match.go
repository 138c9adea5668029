package ir

// Match compares the types of a call with those of its callee's signature. Names of
// sizes are the callee's own: each stands for one size of the caller wherever it stands,
// given by an argument. Of a size that only results name the caller knows nothing: `?`.
func (c *Context) Match(formalIn, in, formalOut, out []Type) bool {
	if len(formalIn) != len(in) || len(formalOut) != len(out) {
		return false
	}
	m := matcher{c: c, sizes: map[string]Size{}, binds: true}
	for i, t := range formalIn {
		if !m.types(t, in[i]) {
			return false
		}
	}
	m.binds = false
	for i, t := range formalOut {
		if !m.types(t, out[i]) {
			return false
		}
	}
	return true
}

// HasSizes reports that some dialect has a type with a size for a parameter.
func (c *Context) HasSizes() bool { return c.sized }

// matcher knows which size each name of a signature stands for.
type matcher struct {
	c     *Context
	sizes map[string]Size
	binds bool // a name that is new stands for what it meets
}

func (m *matcher) types(formal, actual Type) bool {
	if !m.c.sized || formal < numFixedTypes {
		return formal == actual
	}
	f, a := m.c.Info(formal), m.c.Info(actual)
	if f.Kind != a.Kind || f.Def != a.Def || len(f.Types) != len(a.Types) || len(f.Params) != len(a.Params) {
		return false
	}
	for i, t := range f.Types {
		if !m.types(t, a.Types[i]) {
			return false
		}
	}
	if f.Def != nil {
		for i, p := range f.Def.Params {
			if !m.param(p.Kind, f.Params[i], a.Params[i]) {
				return false
			}
		}
		return true
	}
	if f.Elem != NoType {
		if !m.types(f.Elem, a.Elem) {
			return false
		}
		same := *a
		same.Elem = f.Elem
		return m.c.Type(same) == formal
	}
	return len(f.Types) > 0 && f.NumIn == a.NumIn || formal == actual
}

func (m *matcher) param(kind ParamKind, formal, actual Attr) bool {
	if formal == 0 || actual == 0 {
		return formal == actual
	}
	switch kind {
	case ParamType:
		return m.types(m.c.TypeOf(formal), m.c.TypeOf(actual))
	case ParamSize:
		return m.size(m.c.SizeOf(formal), m.c.SizeOf(actual))
	case ParamTypes, ParamSizes:
		f, a := m.c.AttrInfo(formal).List, m.c.AttrInfo(actual).List
		if len(f) != len(a) {
			return false
		}
		for i := range f {
			if !m.param(kind-1, f[i], a[i]) { // a list's kind stands behind that of its elements
				return false
			}
		}
		return true
	}
	return formal == actual
}

func (m *matcher) size(formal, actual Size) bool {
	if formal.Name == "" {
		return formal == actual
	}
	known, ok := m.sizes[formal.Name]
	switch {
	case ok:
		return known == actual && known != AnySize // two that are `?` need not be one
	case m.binds:
		m.sizes[formal.Name] = actual
		return true
	}
	return actual == AnySize
}

// NamesSizes reports a graph with a value of a type that names a size, which means
// something in that function only.
func (g *Graph) NamesSizes() bool {
	if !g.Ctx.sized {
		return false
	}
	for _, n := range g.nodes {
		if g.Ctx.namesSize(n.typ) {
			return true
		}
	}
	return false
}

func (c *Context) namesSize(t Type) bool {
	if t < numFixedTypes {
		return false
	}
	info := c.Info(t)
	for i, p := range info.Params {
		if p == 0 {
			continue
		}
		switch info.Def.Params[i].Kind {
		case ParamSize:
			if c.SizeOf(p).Name != "" {
				return true
			}
		case ParamSizes:
			for _, s := range c.SizesOf(p) {
				if s.Name != "" {
					return true
				}
			}
		case ParamType:
			if c.namesSize(c.TypeOf(p)) {
				return true
			}
		case ParamTypes:
			for _, t := range c.TypesOf(p) {
				if c.namesSize(t) {
					return true
				}
			}
		}
	}
	for _, t := range info.Types {
		if c.namesSize(t) {
			return true
		}
	}
	return c.namesSize(info.Elem)
}
