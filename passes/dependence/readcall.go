package dependence

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// callee says what a call does with the memory of an argument. A callee with a body
// is looked through; of another llvm.readonly, llvm.writeonly and llvm.readnone tell,
// or irc.effects at the call; else it does both. It is taken to touch no memory that
// it is not given.
func (r *reader) callee(n ir.Node, arg int) (reads, writes bool) {
	switch stringAttr(n, ir.CallEffects) {
	case ir.CallPure, ir.CallPartial:
		return false, false
	case ir.CallReads:
		return true, false
	}
	c, _ := callOf(n)
	return r.does(c.Callee, arg, map[string]bool{})
}

func (r *reader) does(name string, arg int, busy map[string]bool) (reads, writes bool) {
	f, known := r.functions[name]
	if !known {
		return true, true
	}
	c := f.Graph().Ctx
	if args := argAttrs(f); arg < len(args) {
		switch {
		case entry(c, args[arg], "llvm.readonly") != 0:
			return true, false
		case entry(c, args[arg], "llvm.writeonly") != 0:
			return false, true
		case entry(c, args[arg], "llvm.readnone") != 0:
			return false, false
		}
	}
	body := f.Children()[0]
	key := fmt.Sprint(name, " ", arg)
	if !body.HasBlock(ir.Root) || busy[key] {
		return true, true
	}
	busy[key] = true
	s := ir.ScheduleOf(body)
	views := map[ir.Value]bool{body.Params(ir.Root)[arg]: true}
	for v := range s.All() {
		n := body.NodeOf(v)
		for i, a := range body.Args(v) {
			if !views[a] {
				continue
			}
			if n.Def().Has(ir.View) && i == 0 {
				views[v] = true
				continue
			}
			rd, wr := r.touches(n, a, busy)
			reads, writes = reads || rd, writes || wr
		}
	}
	return reads, writes
}

// touches says what an op does with the memory of operands that are m.
func (r *reader) touches(n ir.Node, m ir.Value, busy map[string]bool) (reads, writes bool) {
	if a, ok := ir.As[ir.AccessLike](n); ok {
		for _, x := range a.Accesses {
			kept := x.Stored == m // whoever reads it has the memory
			reads, writes = reads || kept || x.Memory == m && x.Reads, writes || kept || x.Memory == m && x.Writes
		}
		return reads, writes
	}
	c, ok := callOf(n)
	if !ok {
		return true, true
	}
	for i, a := range c.Operands {
		if a == m {
			rd, wr := r.does(c.Callee, i, busy)
			reads, writes = reads || rd, writes || wr
		}
	}
	return reads, writes
}

// call adds the arguments of a call with their annotations, which stand at the
// callee. Of a call that is a statement each result is a variable.
func (b *builder) call(n ir.Node, statement bool) {
	if b.calls[n.Old()] { // its annotations are its own, whatever it is for
		return
	}
	b.calls[n.Old()] = true
	c := b.g.Ctx
	call, _ := callOf(n)
	f, known := b.functions[call.Callee]
	var args []ir.Attr
	if known {
		args = argAttrs(f)
		b.st.Output = b.st.Output || f.Attr("dep.output") != 0
		b.st.Uniform = b.st.Uniform || f.Attr("dep.uniform") != 0
		b.st.Increment = b.st.Increment || f.Attr("dep.increment") != 0
	}
	first := b.args
	b.args += len(call.Operands)
	requires := n.Attr("dep.requires")
	if requires == 0 && known {
		requires = f.Attr("dep.requires")
	}
	if requires != 0 {
		if g, err := parseGroup(c.AttrInfo(requires).Str, first+1); err == nil {
			b.require(g)
		} else {
			b.problems = append(b.problems, fmt.Errorf("dep.requires: %w", err))
		}
	}
	for i, v := range call.Operands {
		var dict ir.Attr
		if i < len(args) {
			dict = args[i]
		}
		is := func(name string) bool { return entry(c, dict, "dep."+name) != 0 }
		fs := facts{is("ignore"), is("skip_if_uniform"), is("any_item"), is("trigger"), is("fresh"), first + i + 1}
		reads, writes := true, false
		if isMemref(b.g, v) {
			reads, writes = b.callee(n, i)
		}
		from := len(b.st.Accesses)
		if reads {
			b.value(v, Value, fs)
		}
		if a := entry(c, dict, "dep.all_except"); a != 0 {
			b.except(call, from, int(c.AttrInfo(a).Int))
		}
		if writes && statement {
			b.target(v, nil)
		}
	}
	if statement && b.g.Type(n.Old()) != ir.Void && b.used(n.Old()) {
		b.result(n, call.Callee)
	}
}

// result makes a variable of what a call that is a statement gives.
func (b *builder) result(n ir.Node, callee string) {
	x := &Variable{Name: b.nameOf(n.Old(), callee+"()")}
	b.Program.Variables = append(b.Program.Variables, x)
	b.results[n.Old()] = x
	b.add(Access{Var: x, Write: true})
}

// except takes an element out of what was read for an argument: that at the index
// which another argument of the call gives, where it is a literal.
func (b *builder) except(call ir.CallLike, from, arg int) {
	if arg < 0 || arg >= len(call.Operands) {
		return
	}
	if e, ok := b.affine(call.Operands[arg]); ok {
		for k := from; k < len(b.st.Accesses); k++ {
			if a := &b.st.Accesses[k]; !a.Write && len(a.Subs) == 0 && a.Role == Value {
				at := At(e)
				a.Except = &at
			}
		}
	}
}

func (b *builder) require(g *Group) {
	if b.st.Requires != nil {
		g = &Group{Op: AllOf, Sub: []*Group{b.st.Requires, g}}
	}
	b.st.Requires = g
}

// parseGroup reads `any(0, all(1, items(2)))`: numbers are arguments of a call,
// counted from 0. first is the number of argument 0 in the statement.
func parseGroup(text string, first int) (*Group, error) {
	p := &groupParser{text: strings.ReplaceAll(text, " ", ""), first: first}
	g, err := p.group(0)
	if err == nil && p.text != "" {
		err = fmt.Errorf("%q follows a whole group", p.text)
	}
	return g, err
}

type groupParser struct {
	text  string
	first int
}

const deepestGroup = 50

func (p *groupParser) group(depth int) (*Group, error) {
	if depth > deepestGroup {
		return nil, fmt.Errorf("groups nest too deep")
	}
	ops := map[string]GroupOp{"any": AnyOf, "all": AllOf, "items": ItemsOf}
	end := strings.IndexAny(p.text, "(),")
	if end < 0 {
		end = len(p.text)
	}
	word := p.text[:end]
	p.text = p.text[end:]
	op, ok := ops[word]
	if !ok {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no argument's number, any(...), all(...) or items(...)", word)
		}
		return &Group{Op: ArgOf, Arg: p.first + n}, nil
	}
	g := &Group{Op: op}
	for sep := "("; ; sep = "," {
		if !strings.HasPrefix(p.text, sep) {
			return nil, fmt.Errorf("%q wants %q before %q", word, sep, p.text)
		}
		p.text = p.text[1:]
		s, err := p.group(depth + 1)
		if err != nil {
			return nil, err
		}
		g.Sub = append(g.Sub, s)
		if strings.HasPrefix(p.text, ")") {
			p.text = p.text[1:]
			break
		}
	}
	if op == ItemsOf {
		if len(g.Sub) != 1 || g.Sub[0].Op != ArgOf {
			return nil, fmt.Errorf("items wants the number of one argument")
		}
		return &Group{Op: ItemsOf, Arg: g.Sub[0].Arg}, nil
	}
	return g, nil
}
