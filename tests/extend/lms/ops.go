package lms

import "github.com/irc-lang/irc/ir"

// The types of the dialect: arrays, arrays of arrays, variables, and functions, whose
// result is one i64.
var (
	arrType  = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "lms.arr", Doc: "An array of i64."})
	arrsType = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "lms.arrs", Doc: "An array of arrays."})
	varType  = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "lms.var", Doc: "A variable."})
	funType  = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "lms.fun", Doc: "A function."})
)

// ArrType is the type of arrays.
func ArrType(c *ir.Context) ir.Type { return arrType.Type(c, ir.Unit{}) }

// ArrsType is the type of arrays of arrays.
func ArrsType(c *ir.Context) ir.Type { return arrsType.Type(c, ir.Unit{}) }

// VarType is the type of variables.
func VarType(c *ir.Context) ir.Type { return varType.Type(c, ir.Unit{}) }

// FunType is the type of functions.
func FunType(c *ir.Context) ir.Type { return funType.Type(c, ir.Unit{}) }

// The ops of the dialect.
var (
	P = ir.Define(&ir.OpDef{Name: "lms.p", Doc: "An opaque pure op with a name of its own.",
		Args: []string{"args..."}, Attrs: []string{"name"}, Infer: inferP})
	Print = ir.Define(&ir.OpDef{Name: "lms.print", Doc: "Prints a number.",
		Args: []string{"value"}, Infer: numbers(1, ir.Void), Effects: writesIO})
	Yield = ir.Define(&ir.OpDef{Name: "lms.yield", Doc: "Ends a function, arr or sum.",
		Args: []string{"value"}, Traits: ir.Terminator, Infer: inferYield})
	Fun = ir.Define(&ir.OpDef{Name: "lms.fun", Doc: "A function that sees what is around it.",
		Body: ir.Lambda, Infer: inferFun})
	App = ir.Define(&ir.OpDef{Name: "lms.app", Doc: "Calls a function.",
		Args: []string{"fun", "args..."}, Traits: ir.Partial, Infer: inferApp, Poisons: ir.Always, Effects: appEffects})

	Var = ir.Define(&ir.OpDef{Name: "lms.var", Doc: "A variable with its first value.",
		Args: []string{"init"}, Traits: ir.Unique | ir.NoCapture, Infer: inferVar})
	Get = ir.Define(&ir.OpDef{Name: "lms.get", Doc: "The value of a variable.",
		Args: []string{"var"}, Traits: ir.NoCapture, Infer: inferGet, Effects: readsFirst, Refs: fresh})
	Set = ir.Define(&ir.OpDef{Name: "lms.set", Doc: "Sets a variable.",
		Args: []string{"var", "value"}, Traits: ir.NoCapture, Infer: inferSet, Effects: writesFirst, Overwrites: setOverwrites})

	NewMut = ir.Define(&ir.OpDef{Name: "lms.newmut", Doc: "A mutable array of zeros.",
		Args: []string{"n"}, Traits: ir.Unique | ir.Partial, Infer: arrayOf(1), Refs: fresh})
	MutCopy = ir.Define(&ir.OpDef{Name: "lms.mutcopy", Doc: "A mutable copy of an array, or of an array of arrays that never change, which it shares.",
		Args: []string{"a"}, Traits: ir.Unique | ir.NoCapture, Infer: inferMutCopy, Effects: readsArrays, Refs: fresh})
	Read = ir.Define(&ir.OpDef{Name: "lms.read", Doc: "An element of an array.",
		Args: []string{"a", "i"}, Traits: ir.NoCapture | ir.Partial, Infer: inferRead, Poisons: ir.Always, Effects: readsArrays})
	Write = ir.Define(&ir.OpDef{Name: "lms.write", Doc: "Sets an element of an array that is its own.",
		Args: []string{"a", "i", "value"}, Traits: ir.NoCapture | ir.Partial, Infer: inferWrite, Effects: writesFirst, Overwrites: writeOverwrites})
	Len = ir.Define(&ir.OpDef{Name: "lms.len", Doc: "The length of an array.",
		Args: []string{"a"}, Traits: ir.NoCapture, Infer: inferLen})

	Lit = ir.Define(&ir.OpDef{Name: "lms.lit", Doc: "An array of the given numbers or arrays, which it shares.",
		Args: []string{"elements..."}, Traits: ir.NoCapture, Infer: inferLit, Refs: contains})
	At = ir.Define(&ir.OpDef{Name: "lms.at", Doc: "An element of an array of arrays.",
		Args: []string{"a", "i"}, Traits: ir.NoCapture | ir.Partial, Infer: inferAt, Poisons: ir.Always, Effects: readsArrays, Refs: extracts})
	Clone = ir.Define(&ir.OpDef{Name: "lms.clone", Doc: "A copy of an array that never changes; its elements are shared.",
		Args: []string{"a"}, Traits: ir.NoCapture, Infer: inferClone, Effects: readsArrays, Refs: copies})

	Zeros = ir.Define(&ir.OpDef{Name: "lms.zeros", Doc: "An array of zeros.",
		Args: []string{"n"}, Infer: arrayOf(1), Refs: fresh})
	Plus = ir.Define(&ir.OpDef{Name: "lms.plus", Doc: "The sum of two arrays, by elements.",
		Args: []string{"a", "b"}, Traits: ir.NoCapture, Infer: inferPlus, Effects: readsArrays, Refs: fresh})
	Arr = ir.Define(&ir.OpDef{Name: "lms.arr", Doc: "The array of what its region yields for 0 to n-1.",
		Args: []string{"n"}, Body: ir.Loop, Infer: inferArr, Refs: yields})
	Sum = ir.Define(&ir.OpDef{Name: "lms.sum", Doc: "The sum of what its region yields for 0 to n-1.",
		Args: []string{"n"}, Body: ir.Loop, Infer: inferSum})
)

// setOverwrites: a variable has one value.
func setOverwrites(c *ir.Call, prev ir.Value) bool {
	return c.Graph().Def(prev) == c.Def && c.Graph().Args(prev)[0] == c.Args[0]
}

func writeOverwrites(c *ir.Call, prev ir.Value) bool {
	a := c.Graph().Args(prev)
	return c.Graph().Def(prev) == c.Def && a[0] == c.Args[0] && a[1] == c.Args[1]
}

func writesIO(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }

func readsFirst(c *ir.Call) []ir.Effect {
	return []ir.Effect{{Kind: ir.Read, On: c.Builder().ResourceOf(c.Args[0])}}
}

func writesFirst(c *ir.Call) []ir.Effect {
	return []ir.Effect{{Kind: ir.Write, On: c.Builder().ResourceOf(c.Args[0])}}
}

// mutable reports an array that can be written: a unique allocation.
func mutable(g *ir.Graph, v ir.Value) bool { return g.Def(v) == NewMut || g.Def(v) == MutCopy }

// readsArrays reads what its arrays may be: nothing where they never change.
func readsArrays(c *ir.Call) (out []ir.Effect) {
	for i, a := range c.Args {
		if t := c.ArgType(i); t == ArrType(c.Ctx()) || t == ArrsType(c.Ctx()) {
			for _, r := range c.Builder().Targets(a) {
				out = append(out, ir.Effect{Kind: ir.Read, On: r})
			}
		}
	}
	return out
}

// fresh: an array of numbers of its own, or one that never changes.
func fresh(*ir.Call) ir.Refs { return ir.Refs{} }

func contains(c *ir.Call) ir.Refs { return ir.Refs{Contain: c.Args} }

func extracts(c *ir.Call) ir.Refs { return ir.Refs{Extract: c.Args[:1]} }

func copies(c *ir.Call) (r ir.Refs) {
	if c.ArgType(0) == ArrsType(c.Ctx()) { // the elements of others are numbers
		r.Copy = c.Args
	}
	return r
}

func yields(c *ir.Call) ir.Refs { return ir.Refs{Contain: c.Graph().Yields(c.Regions[0])} }

// appEffects: a function that is seen does what its body does.
func appEffects(c *ir.Call) []ir.Effect {
	g := c.Graph()
	if g.Def(c.Args[0]) == Fun {
		return append([]ir.Effect(nil), g.EffectsOf(g.Regions(c.Args[0])[0])...)
	}
	return []ir.Effect{{Kind: ir.Write, On: ir.World}}
}
