package bugs

// origin is the statement, counted from 1, and the iteration that define an
// element; the zero value says that nothing does.
type origin struct{ stmt, iter int32 }

// owners says which statement defines each element of a variable, and in which of
// its iterations: by disjoint regions, each of which one statement defines, or,
// where left sides are not that simple, element by element.
type owners struct {
	parts []part
	dense []origin
}

// A part of a variable is defined by a statement whose left side is simple.
type part struct {
	region
	by *Statement
}

// maxParts bounds the regions of one variable: finding an element looks at each.
const maxParts = 24

func (o *owners) none() bool { return o.parts == nil && o.dense == nil }

// at finds who defines an element.
func (o *owners) at(dims []int, k int) origin {
	if o.dense != nil {
		return o.dense[k]
	}
	if p, index := o.part(dims, k); p != nil {
		return origin{int32(p.by.Index + 1), int32(p.by.iterationOf(index))}
	}
	return origin{}
}

// has reports that something defines an element.
func (o *owners) has(dims []int, k int) bool {
	if o.dense != nil {
		return o.dense[k].stmt != 0
	}
	p, _ := o.part(dims, k)
	return p != nil
}

func (o *owners) part(dims []int, k int) (*part, []int32) {
	if len(o.parts) == 0 {
		return nil, nil
	}
	var buf [8]int32
	index := buf[:]
	if len(dims) > len(buf) {
		index = make([]int32, len(dims))
	}
	index = indexOf(dims, k, index)
	for i := range o.parts {
		if o.parts[i].has(index) {
			return &o.parts[i], index
		}
	}
	return nil, nil
}

// spread goes over to one entry an element.
func (o *owners) spread(v *Var) {
	if o.dense != nil {
		return
	}
	parts := o.parts
	o.parts, o.dense = nil, make([]origin, v.Len())
	for _, p := range parts {
		by := int32(p.by.Index + 1)
		p.by.eachElement(func(i, k int) bool {
			o.dense[k] = origin{by, int32(i)}
			return true
		})
	}
}

// free reports that no part has an element of a region.
func (o *owners) free(r region) bool {
	for _, p := range o.parts {
		if p.and(r).size() > 0 {
			return false
		}
	}
	return true
}

// inside counts the elements of a region that parts define.
func (o *owners) inside(r region) int {
	n := 0
	for _, p := range o.parts {
		n += p.and(r).size()
	}
	return n
}
