package device

import (
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// symbolUses checks ops that name kernels, and those that must not.
var symbolUses = ir.SymbolUses{Launch: checkLaunch, funcs.Call: checkNoKernel}

func checkLaunch(n ir.Node, find func(string) (ir.Node, bool)) error {
	c := n.Graph().Ctx
	if t := n.Graph().Term(ir.Root); t != 0 && n.Graph().Def(t) == Return {
		return n.Errorf("stands in a kernel: kernels do not launch kernels; launch it from a func.func")
	}
	name := KernelOf(c, n.Attrs())
	k, ok := find(name)
	switch {
	case !ok:
		return n.Errorf("'%s' does not reference a valid kernel", name)
	case k.Def() != Kernel:
		return n.Errorf("'%s' is a %s, not a device.kernel", name, k.Def().Name)
	}
	seg := c.Ints(n.Attr("operandSegmentSizes"))
	args, in := n.Args()[seg[0]+seg[1]:], funcs.TypeOf(c, k.Attrs()).Types
	if len(args) != len(in) {
		return n.Errorf("incorrect number of arguments for kernel @%s: %d given, %d wanted", name, len(args), len(in))
	}
	for i, a := range args {
		if a.Type() != in[i] {
			return n.Errorf("argument type mismatch: argument %d is not what kernel @%s takes", i, name)
		}
	}
	return nil
}

func checkNoKernel(n ir.Node, find func(string) (ir.Node, bool)) error {
	name := n.Graph().Ctx.AttrInfo(n.Attr("callee")).Str
	if k, ok := find(name); ok && k.Def() == Kernel {
		return n.Errorf("'%s' is a kernel: run it with device.launch", name)
	}
	return nil
}
