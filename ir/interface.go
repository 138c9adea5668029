package ir

// An Interface is a dialect's table of what its ops are to code that does not know
// them: a pass asks for loops and finds those of every dialect. T is one of the types
// below, or one that a pass or another dialect makes for its own questions.
type Interface[T any] map[*OpDef]func(n Node) T

// As asks what an op is as a T: its dialect says so in an Interface[T].
func As[T any](n Node) (x T, ok bool) {
	if d := n.g.Ctx.DialectOf(n.Def()); d != nil {
		if f := Table[Interface[T]](d)[n.Def()]; f != nil {
			return f(n), true
		}
	}
	return x, false
}

// Implements reports that an op is a T.
func Implements[T any](c *Context, def *OpDef) bool {
	d := c.DialectOf(def)
	return d != nil && Table[Interface[T]](d)[def] != nil
}

// Implementers lists the ops of all dialects that are a T, low to high.
func Implementers[T any](c *Context) (out []*OpDef) {
	for _, d := range c.dialects {
		if t := Table[Interface[T]](d); t != nil {
			for _, def := range d.Ops {
				if t[def] != nil {
					out = append(out, def)
				}
			}
		}
	}
	return out
}

// A Bound is a number that an op is given: as an operand, or as a constant where Value
// is 0.
type Bound struct {
	Value Value
	Const int64
}

// Bounds are operands as bounds.
func Bounds(vs ...Value) []Bound {
	out := make([]Bound, len(vs))
	for i, v := range vs {
		out[i].Value = v
	}
	return out
}

// MixedBounds joins what stands in attributes with the operands that stand for those
// that are Dynamic there.
func MixedBounds(static []int64, dynamic []Value) []Bound {
	out := make([]Bound, len(static))
	for i, x := range static {
		out[i].Const = x
		if x == Dynamic && len(dynamic) > 0 {
			out[i].Value, dynamic = dynamic[0], dynamic[1:]
		}
	}
	return out
}

// A LoopLike runs its body many times: for the points of a box, or, if it has no
// Indices, as long as something that only it knows.
type LoopLike struct {
	Body Region
	// Index k of a point, a parameter of the body, runs from Lower[k] by Step[k] as
	// long as it is less than Upper[k], or not above it if Inclusive.
	Indices            []Value
	Lower, Upper, Step []Bound
	Inclusive          bool
	// Reverse says that the last index comes first.
	Reverse bool
	// Inits are the first values of what it carries from round to round or reduces,
	// and Carried the parameters of the body for them, if it has some.
	Inits, Carried []Value
	// Parallel says that the rounds may run in any order, or at once.
	Parallel bool
}

// A BranchLike runs one of its regions: region i if On is Values[i], and region
// Default, whatever its value, if none is; -1 is no region. A truth value is 1 or 0.
type BranchLike struct {
	On      Value
	Values  []int64
	Default int
}

// A ViewLike gives memory that is its source, or a part of it.
type ViewLike struct {
	Source Value
	// Whole says that it is the source element by element, under another type.
	Whole bool
	// Of a rectangular part, for each dimension of the source: the first index, the
	// number of elements and the distance between two. Kept says which are dimensions
	// of the view. All are empty if the part is not known.
	Offsets, Sizes, Strides []Bound
	Kept                    []bool
}

// An Allocation gives memory that nothing else is.
type Allocation struct {
	Sizes []Value // that are not in its type
	From  Value   // what it takes over what is there from and frees, or 0
	Free  *OpDef  // what gives it back; nil if it goes by itself
}

// A CallLike runs a function: one with a name, or one that is a value.
type CallLike struct {
	Callee   string // a symbol, or "" if it is not known which
	Value    Value  // the function, where it is a value
	Operands []Value
}

// An AccessLike is all that an op does to elements of memory that it is given: one
// with no Accesses asks of it no more than its shape, or frees it.
type AccessLike struct{ Accesses []Access }

// An Access reads or writes an element, or with no Indices all of a memory, at most: with Extents no
// elements but so many from First on, in each dimension.
type Access struct {
	Memory        Value
	Indices       []Value
	First         []Value
	Extents       []int64
	Reads, Writes bool
	Stored        Value // what is written, if it is an operand
}

// RegionNames is a dialect's table of what people call the regions of its ops, where
// "loop" or "branch" does not say which.
type RegionNames map[*OpDef][]string

// RegionName is what people call region i of an op, or "".
func (c *Context) RegionName(def *OpDef, i int) string {
	if d := c.DialectOf(def); d != nil {
		if names := Table[RegionNames](d)[def]; i < len(names) {
			return names[i]
		}
	}
	return ""
}
