package lms

import "github.com/irc-lang/irc/ir"

func wantTypes(c *ir.Call, ts ...ir.Type) error {
	if len(c.Args) != len(ts) {
		return c.Errorf("expects %d operands, has %d", len(ts), len(c.Args))
	}
	for i, t := range ts {
		if c.ArgType(i) != t {
			return c.Errorf("operand #%d has the wrong type", i)
		}
	}
	return nil
}

func numbers(n int, result ir.Type) func(*ir.Call) (ir.Type, error) {
	return func(c *ir.Call) (ir.Type, error) {
		ts := make([]ir.Type, n)
		for i := range ts {
			ts[i] = ir.I64
		}
		return result, wantTypes(c, ts...)
	}
}

func arrayOf(n int) func(*ir.Call) (ir.Type, error) {
	return func(c *ir.Call) (ir.Type, error) {
		_, err := numbers(n, ir.Void)(c)
		return ArrType(c.Ctx()), err
	}
}

// inferP: the result is i64 unless the text says i1.
func inferP(c *ir.Call) (ir.Type, error) {
	if a := c.Get("name"); a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrString {
		return 0, c.Errorf("requires a string attribute 'name'")
	}
	if c.Type == ir.I1 {
		return ir.I1, nil
	}
	return ir.I64, nil
}

// body checks the one region of an op: its parameters and its terminator.
func body(c *ir.Call, params ...ir.Type) error {
	if len(c.Regions) != 1 {
		return c.Errorf("expects one region, has %d", len(c.Regions))
	}
	g := c.Graph()
	t := g.Term(c.Regions[0])
	if t == 0 || g.Def(t) != Yield {
		return c.Errorf("expects its region to end with '%s'", Yield.Name)
	}
	if params == nil {
		return nil
	}
	p := g.Params(c.Regions[0])
	if len(p) != len(params) || g.Type(p[0]) != params[0] {
		return c.Errorf("its region has one parameter, an i64")
	}
	return nil
}

func inferFun(c *ir.Call) (ir.Type, error) {
	err := body(c)
	if err == nil && c.Graph().Type(c.Graph().Yields(c.Regions[0])[0]) != ir.I64 {
		err = c.Errorf("a function gives an i64")
	}
	return FunType(c.Ctx()), err
}

func inferApp(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 || c.ArgType(0) != FunType(c.Ctx()) {
		return 0, c.Errorf("operand #0 must be a function")
	}
	g := c.Graph()
	if g.Def(c.Args[0]) == Fun {
		if n := len(g.Params(g.Regions(c.Args[0])[0])); n != len(c.Args)-1 {
			return 0, c.Errorf("has %d arguments, its function %d parameters", len(c.Args)-1, n)
		}
	}
	return ir.I64, nil
}

func inferArr(c *ir.Call) (ir.Type, error) {
	t, err := bodyType(c)
	if err == nil && t == ArrType(c.Ctx()) {
		return ArrsType(c.Ctx()), nil
	}
	if err == nil && t != ir.I64 {
		err = c.Errorf("its elements are i64 or arrays of them")
	}
	return ArrType(c.Ctx()), err
}

// bodyType is the type of what the region of an arr or sum yields.
func bodyType(c *ir.Call) (ir.Type, error) {
	if err := wantTypes(c, ir.I64); err != nil {
		return 0, err
	}
	if err := body(c, ir.I64); err != nil {
		return 0, err
	}
	return c.Graph().Type(c.Graph().Yields(c.Regions[0])[0]), nil
}

func inferYield(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != ir.I64 && c.ArgType(0) != ArrType(c.Ctx()) {
		return 0, c.Errorf("yields an i64 or an array")
	}
	return ir.Void, nil
}

func inferLit(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("has no element")
	}
	for i := range c.Args {
		if c.ArgType(i) != c.ArgType(0) {
			return 0, c.Errorf("its elements have several types")
		}
	}
	switch c.ArgType(0) {
	case ir.I64:
		return ArrType(c.Ctx()), nil
	case ArrType(c.Ctx()):
		return ArrsType(c.Ctx()), nil
	}
	return 0, c.Errorf("its elements are i64 or arrays of them")
}

func inferAt(c *ir.Call) (ir.Type, error) {
	return ArrType(c.Ctx()), wantTypes(c, ArrsType(c.Ctx()), ir.I64)
}

func inferClone(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 1 && c.ArgType(0) == ArrsType(c.Ctx()) {
		return c.ArgType(0), nil
	}
	return ArrType(c.Ctx()), wantTypes(c, ArrType(c.Ctx()))
}

func inferSum(c *ir.Call) (ir.Type, error) {
	t, err := bodyType(c)
	if err == nil && t != ir.I64 {
		err = c.Errorf("sums numbers")
	}
	return ir.I64, err
}

// inferVar and inferSet refuse to let a variable refer to what may be a mutable
// array: that is a second owner.
func inferVar(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 {
		return 0, c.Errorf("expects one operand, has %d", len(c.Args))
	}
	return VarType(c.Ctx()), kept(c, 0)
}

func kept(c *ir.Call, i int) error {
	if t := c.ArgType(i); t != ir.I64 && !isArray(c, t) {
		return c.Errorf("a variable holds an i64, an array or an array of arrays")
	}
	return unshared(c, i, "a variable")
}

func isArray(c *ir.Call, t ir.Type) bool { return t == ArrType(c.Ctx()) || t == ArrsType(c.Ctx()) }

func inferGet(c *ir.Call) (ir.Type, error) {
	if err := wantTypes(c, VarType(c.Ctx())); err != nil {
		return 0, err
	}
	if g := c.Graph(); g.Def(c.Args[0]) == Var {
		return g.Type(g.Args(c.Args[0])[0]), nil
	}
	return ir.I64, nil
}

func inferSet(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 2 || c.ArgType(0) != VarType(c.Ctx()) {
		return 0, c.Errorf("expects a variable and a value")
	}
	if g := c.Graph(); g.Def(c.Args[0]) == Var && c.ArgType(1) != g.Type(g.Args(c.Args[0])[0]) {
		return 0, c.Errorf("the value has another type than the variable")
	}
	return ir.Void, kept(c, 1)
}

// inferMutCopy: the elements of a mutable array may be arrays that never change.
func inferMutCopy(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != ArrsType(c.Ctx()) {
		return ArrType(c.Ctx()), wantTypes(c, ArrType(c.Ctx()))
	}
	if ownersAt(c, 0).within {
		return 0, c.Errorf("illegal sharing: a mutable array may not hold mutable arrays; copy them, by lms.clone")
	}
	return ArrsType(c.Ctx()), nil
}

func inferPlus(c *ir.Call) (ir.Type, error) {
	t := ArrType(c.Ctx())
	return t, wantTypes(c, t, t)
}

func inferRead(c *ir.Call) (ir.Type, error) {
	return ir.I64, wantTypes(c, ArrType(c.Ctx()), ir.I64)
}

func inferLen(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 1 && c.ArgType(0) == ArrsType(c.Ctx()) {
		return ir.I64, nil
	}
	return ir.I64, wantTypes(c, ArrType(c.Ctx()))
}

// inferWrite: only the owner of an array may write to it, and an array that is
// written into one of arrays must not be mutable itself.
func inferWrite(c *ir.Call) (ir.Type, error) {
	array, elem := ArrType(c.Ctx()), ir.I64
	if len(c.Args) > 0 && c.ArgType(0) == ArrsType(c.Ctx()) {
		array, elem = ArrsType(c.Ctx()), array
	}
	if len(c.Args) == 3 {
		if err := unshared(c, 2, "a mutable array"); err != nil {
			return 0, err
		}
	}
	if err := wantTypes(c, array, ir.I64, elem); err != nil {
		return 0, err
	}
	if !mutable(c.Graph(), c.Args[0]) {
		return 0, c.Errorf("write to what is no unique allocation: use mutcopy")
	}
	return ir.Void, nil
}
