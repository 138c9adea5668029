package lower

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A law of which many statements are written out has a function that they call, where its formula
// is long: a careful form, a plain one of some ops, or that of vectors and matrices. Written out at each of them it would be most of the
// program, and take longer to fetch than to run. In loops, and of few statements, formulas stand where they are: what a
// loop does not change, and what data alone decide, is found there.

// manyStatements is from how many on.
const manyStatements = 64

// sharing are the functions of one density.
type sharing struct {
	b     *ir.Builder // of the module
	name  string      // that of the density
	names map[string]string
	count map[*family.Law]int // statements in no loop; nil: not counted yet
	// lengths are those of plain forms.
	lengths map[*family.Law]int
}

// isShared reports a law of which many statements stand in no loop, for one of these.
func (l *lowering) isShared(law *family.Law) bool {
	if len(l.origins.loops) > 0 || l.shared == nil {
		return false
	}
	s := l.shared
	if s.count == nil {
		s.count = map[*family.Law]int{}
		for _, v := range l.model.s.Body(ir.Root) {
			switch l.model.g.Def(v) {
			case ops.Stochastic:
				s.count[lawOf(l.model.g, v)]++
			case ops.Multivariate:
				s.count[l.model.factors[v].law]++
			}
		}
	}
	return s.count[law] >= manyStatements
}

// call calls the function of what a key stands for; body makes the ops of its result from its parameters,
// which are of the types of args. effects is what it does, as of ir.CallEffects.
func (s *sharing) call(k kit.Ops, law *family.Law, key, effects string, args []ir.Value, body func(k kit.Ops, args []ir.Value) ir.Value) ir.Value {
	c, g := k.B.Ctx(), k.B.Graph()
	types := lists.Map(args, g.Type)
	key = fmt.Sprint(law.Name, " ", key, " ", types)
	name, ok := s.names[key]
	if !ok {
		name = fmt.Sprintf("%s_%s_%d", s.name, law.Name, len(s.names))
		s.names[key] = name
		f := ir.NewBuilder(c)
		for _, t := range types {
			f.Param(t)
		}
		in := k
		in.B = f
		f.Op(funcs.Return, body(in, f.Params(ir.Root)))
		s.b.Must(ir.Call{Def: funcs.Func, Attr: funcs.Props(c, name, "private", types, []ir.Type{ir.F64}), Graphs: []*ir.Graph{f.Finish()}})
	}
	attr := c.WithDiscardable(c.Props([]ir.NamedAttr{{Name: "callee", Value: c.SymbolAttr(name)}}, nil), ir.CallEffects, c.StringAttr(effects))
	return k.B.Must(ir.Call{Def: funcs.Call, Attr: attr, Args: args, Type: c.Multi(ir.F64)})
}

// longFormula is how many ops a plain form has at least that is shared.
const longFormula = 30

// plainLength is how many ops the plain form of a law has.
func (l *lowering) plainLength(law *family.Law, params int) int {
	s := l.shared
	if s.lengths == nil {
		s.lengths = map[*family.Law]int{}
	}
	if _, ok := s.lengths[law]; !ok {
		k := l.kit()
		k.B = ir.NewBuilder(l.b.Ctx())
		p := make([]ir.Value, params)
		x := k.B.Param(ir.F64)
		for i := range p {
			p[i] = k.B.Param(ir.F64)
		}
		k.B.Op(funcs.Return, law.Ops.LogDensity(k, x, p))
		s.lengths[law] = k.B.Finish().Len()
	}
	return s.lengths[law]
}

// sharedDensity is a form of the density of a node, by a call.
func (l *lowering) sharedDensity(law *family.Law, key string, form func(kit.Ops, ir.Value, []ir.Value) ir.Value, x ir.Value, p []ir.Value) ir.Value {
	return l.shared.call(l.kit(), law, key, ir.CallPure, append([]ir.Value{x}, p...), func(k kit.Ops, args []ir.Value) ir.Value {
		return form(k, args[0], args[1:])
	})
}

// sharedJoint is the density of a node of arrays, by a call; 0 if data alone decide it, or an extent is
// no number.
func (l *lowering) sharedJoint(law *family.Law, w kit.Workspace, views []kit.View) ir.Value {
	var args []ir.Value
	key, data := fmt.Sprint(w), true
	for _, v := range views {
		key += fmt.Sprint(" ", v.Ranged)
		if v.Mem == 0 {
			args, data = append(args, v.Scalar), data && l.origins.isData(v.Scalar)
			continue
		}
		data = data && l.origins.isData(v.Mem)
		args = append(append(args, v.Mem), v.At...)
		for _, n := range v.Ext {
			c, ok := l.b.Graph().Const(n)
			if !ok {
				return 0
			}
			key += fmt.Sprint(" ", c.Bits)
		}
	}
	if data {
		return 0
	}
	return l.shared.call(l.kit(), law, key, ir.CallReads, args, func(k kit.Ops, args []ir.Value) ir.Value {
		in := make([]kit.View, len(views))
		for i, v := range views {
			if v.Mem == 0 {
				in[i], args = kit.View{Scalar: args[0]}, args[1:]
				continue
			}
			in[i] = kit.View{Mem: args[0], At: args[1 : 1+len(v.At)], Ranged: v.Ranged}
			args = args[1+len(v.At):]
			for _, n := range v.Ext {
				c, _ := l.b.Graph().Const(n)
				in[i].Ext = append(in[i].Ext, k.B.Index(int64(c.Bits)))
			}
			in[i].N = in[i].Ext[0]
		}
		return apply.JointDensityOps(law.Joint, k, w, in[0], in[1:])
	})
}
