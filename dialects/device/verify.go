package device

import (
	"fmt"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// symbolUses checks ops that name kernels, and those that must not.
var symbolUses = ir.SymbolUses{Launch: checkLaunch, funcs.Call: checkNoKernel}

func opError(n ir.Node, format string, args ...any) error {
	e := &ir.OpError{Op: n.Def().Name, Msg: fmt.Sprintf(format, args...)}
	if ls := n.Graph().LocsOf(n.Old()); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}

func checkLaunch(n ir.Node, find func(string) (ir.Node, bool)) error {
	c := n.Graph().Ctx
	if t := n.Graph().Term(ir.Root); t != 0 && n.Graph().Def(t) == Return {
		return opError(n, "stands in a kernel: kernels do not launch kernels; launch it from a func.func")
	}
	name := KernelOf(c, n.Attrs())
	k, ok := find(name)
	switch {
	case !ok:
		return opError(n, "'%s' does not reference a valid kernel", name)
	case k.Def() != Kernel:
		return opError(n, "'%s' is a %s, not a device.kernel", name, k.Def().Name)
	}
	seg := c.Ints(n.Attr("operandSegmentSizes"))
	args, in := n.Args()[seg[0]+seg[1]:], funcs.TypeOf(c, k.Attrs()).Types
	if len(args) != len(in) {
		return opError(n, "incorrect number of arguments for kernel @%s: %d given, %d wanted", name, len(args), len(in))
	}
	for i, a := range args {
		if a.Type() != in[i] {
			return opError(n, "argument type mismatch: argument %d is not what kernel @%s takes", i, name)
		}
	}
	return nil
}

func checkNoKernel(n ir.Node, find func(string) (ir.Node, bool)) error {
	name := n.Graph().Ctx.AttrInfo(n.Attr("callee")).Str
	if k, ok := find(name); ok && k.Def() == Kernel {
		return opError(n, "'%s' is a kernel: run it with device.launch", name)
	}
	return nil
}
