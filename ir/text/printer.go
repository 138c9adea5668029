package text

import (
	"io"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// A Printer writes one graph. Hooks of dialects call its methods.
type Printer struct {
	ctx  *ir.Context
	opts PrintOptions
	w    io.Writer
	err  error
	buf  []byte

	f        *frame
	indent   int
	ids      counters
	forms    *forms
	types    []string                     // text of types, by number
	names    []string                     // of ops, in quotes, by number
	saids    []said                       // text of what ops carry, by its number
	floats   map[ir.Attr]string           // text of floats
	used     map[string]int               // names in scope, counted
	blobs    map[string]map[string]string // data of resources that were printed, by dialect and key as written
	numbered bool                         // all values have their numbers already
	// dialect is the one whose ops need no prefix in the region being printed.
	dialect string
}

// frame is what is known of one graph while it is printed.
type frame struct {
	g      *ir.Graph
	s      *ir.Schedule
	names  []int32  // by node: number plus one, or minus the index in special minus one
	named  []string // special names
	params map[ir.Region]bool
	argIDs map[ir.Region]int // arguments numbered up to and including those of the region
	// children of isolated ops whose parameters are named already
	children map[*ir.Graph]*frame
}

// counters number values as MLIR does: a region goes on from where the numbers
// of the region around it ended, and regions side by side begin alike.
type counters struct{ value, arg, conflict int }

func (p *Printer) newFrame(g *ir.Graph) *frame {
	return &frame{g: g, s: p.scheduleOf(g), names: make([]int32, g.Len()),
		params: map[ir.Region]bool{}, argIDs: map[ir.Region]int{}}
}

// scheduleOf is the schedule to print: the one that was made to settle the graph, unless other choices are asked for.
func (p *Printer) scheduleOf(g *ir.Graph) *ir.Schedule {
	if o := p.opts.Schedule; o.Weight == nil && o.ColdFrequency == 0 && !o.Copies && o.Shuffle == nil {
		return ir.ScheduleOf(g)
	}
	return ir.NewSchedule(g, p.opts.Schedule)
}

// schedule makes the frames of all graphs inside, level by level, on all processors.
func (p *Printer) schedule() {
	for level := []*frame{p.f}; len(level) > 0; {
		var kids []*ir.Graph
		var of []*frame
		for _, f := range level {
			if f.g.IsLeaf() {
				continue
			}
			for v := range f.s.All() {
				for _, c := range f.g.Children(v) {
					kids, of = append(kids, c), append(of, f)
				}
			}
		}
		level = make([]*frame, len(kids))
		ir.Parallel(len(kids), func(i int) { level[i] = p.newFrame(kids[i]) })
		for i, f := range of {
			if f.children == nil {
				f.children = map[*ir.Graph]*frame{}
			}
			f.children[kids[i]] = level[i]
		}
	}
}

// Print writes a schedule of a graph, its child graphs included.
func Print(w io.Writer, g *ir.Graph, opts PrintOptions) error {
	p := &Printer{ctx: g.Ctx, opts: opts, w: w, forms: formsOf(g.Ctx), types: make([]string, 64),
		floats: map[ir.Attr]string{}, used: map[string]int{}, dialect: "builtin"}
	p.f = p.newFrame(g)
	if opts.Schedule.Shuffle == nil && opts.Schedule.Weight == nil {
		p.schedule()
	}
	// A copied node has a name in each of its regions, which numbering them all
	// first cannot give.
	if opts.Generic && !opts.Schedule.Copies {
		p.numberAll()
	} else {
		p.nameParams(ir.Root)
	}
	p.body(ir.Root, nil)
	p.resources(g.Extra)
	p.flush()
	return p.err
}

// String returns what Print writes.
func String(g *ir.Graph, opts PrintOptions) string {
	var b strings.Builder
	_ = Print(&b, g, opts) // a Builder does not fail
	return b.String()
}

func (p *Printer) flush() {
	if p.err == nil && p.w != nil {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

func (p *Printer) byte(c byte) { p.buf = append(p.buf, c) }

// Str prints strings as they are.
func (p *Printer) Str(ss ...string) {
	for _, s := range ss {
		p.buf = append(p.buf, s...)
	}
}

// Int prints a number.
func (p *Printer) Int(n int64) { p.buf = strconv.AppendInt(p.buf, n, 10) }

func (p *Printer) newline() {
	p.byte('\n')
	for range p.indent {
		p.byte(' ')
	}
}

// body prints the ops of a region at the current indentation, each on its line.
func (p *Printer) body(r ir.Region, implicit *ir.OpDef) {
	ids := p.ids
	ops := p.f.s.Body(r)
	var special []string
	if !p.numbered {
		p.ids.arg = p.f.argIDs[r]
		special = p.nameOps(ops)
	}
	for i, v := range ops {
		if i == len(ops)-1 && implicit != nil && p.hidden(v, implicit) {
			break
		}
		if p.indent > 0 || r != ir.Root {
			p.newline()
		}
		p.op(v)
		if p.indent == 0 && r == ir.Root {
			p.byte('\n')
		}
		if len(p.buf) > 1<<16 && p.w != nil {
			p.flush()
		}
	}
	for _, s := range special {
		p.release(s)
	}
	p.ids = ids
}

// hidden reports a terminator that the syntax leaves out.
func (p *Printer) hidden(v ir.Value, implicit *ir.OpDef) bool {
	g := p.f.g
	return g.Def(v) == implicit && len(g.Args(v)) == 0 && g.AttrsOf(v) == 0 && g.Results(v) == 0
}

// op prints one op.
func (p *Printer) op(v ir.Value) {
	g := p.f.g
	if n := g.Results(v); n > 0 {
		p.Value(v)
		if n > 1 {
			p.byte(':')
			p.Int(int64(n))
		}
		p.Str(" = ")
	}
	p.withoutResults(v)
}

// withoutResults prints an op from its name on.
func (p *Printer) withoutResults(v ir.Value) {
	g := p.f.g
	def := g.Def(v)
	var f *form
	if !p.opts.Generic {
		f = p.forms.of(def)
	}
	if f == nil || !f.prints() {
		p.generic(v, def)
	} else {
		name := def.Name
		if p.dialect != "" && strings.HasPrefix(name, p.dialect) && len(name) > len(p.dialect) && name[len(p.dialect)] == '.' {
			if rest := name[len(p.dialect)+1:]; strings.IndexByte(rest, '.') < 0 {
				name = rest
			}
		}
		p.Str(name)
		if f.Print != nil {
			f.Print(p, v)
		} else {
			f.print(p, v)
		}
	}
	p.loc(v)
}

// generic prints an op in the generic form.
func (p *Printer) generic(v ir.Value, def *ir.OpDef) {
	g := p.f.g
	p.opName(g.Op(v), def)
	p.byte('(')
	p.Values(g.Args(v))
	p.byte(')')
	p.properties(g.AttrsOf(v))
	if n := max(len(g.Regions(v)), len(g.Children(v))); n > 0 {
		p.Str(" (")
		for i := range n {
			if i > 0 {
				p.Str(", ")
			}
			p.region(v, i, RegionStyle{Args: true, Empty: true})
		}
		p.byte(')')
	}
	p.discardable(g.AttrsOf(v))
	p.Str(" : (")
	for i, a := range g.Args(v) {
		if i > 0 {
			p.Str(", ")
		}
		p.Type(g.Type(a))
	}
	p.Str(") -> ")
	switch t := g.Type(v); {
	case t == ir.Void || t == ir.NoType:
		p.Str("()")
	case t < ir.Token:
		p.Type(t)
	default:
		p.results(p.ctx.Results(t))
	}
}

// maxKept is how many texts of attributes, and of names of ops, are kept: those
// that come first are those that come again.
const maxKept = 1 << 15

// opName prints the name of an op in quotes.
func (p *Printer) opName(op ir.Op, def *ir.OpDef) {
	if int(op) >= maxKept {
		p.Quoted(def.Name)
		return
	}
	for int(op) >= len(p.names) {
		p.names = append(p.names, "")
	}
	if p.names[op] == "" {
		start := len(p.buf)
		p.Quoted(def.Name)
		p.names[op] = string(p.buf[start:])
		return
	}
	p.Str(p.names[op])
}

// said is the text of all that an op carries, in the generic form.
type said struct {
	props, attrs string
	made         bool
}

// properties prints ` <{...}>` of what an op carries.
func (p *Printer) properties(a ir.Attr) {
	if a < maxKept {
		p.Str(p.said(a).props)
	} else if e, ok := p.ctx.Lone(a); ok {
		p.Str(" <{")
		p.entry(e)
		p.Str("}>")
	} else if list := p.ctx.AttrInfo(a).Dict; len(list) > 0 {
		p.Str(" <{")
		p.entries(list)
		p.Str("}>")
	}
}

// discardable prints ` {...}` of what an op carries.
func (p *Printer) discardable(a ir.Attr) {
	if a < maxKept {
		p.Str(p.said(a).attrs)
	} else if _, ok := p.ctx.Lone(a); ok {
		return
	} else if list := p.ctx.AttrInfo(a).Attrs; len(list) > 0 {
		p.Str(" {")
		p.entries(list)
		p.byte('}')
	}
}

// said returns what is kept of an attribute, made the first time.
func (p *Printer) said(a ir.Attr) *said {
	for int(a) >= len(p.saids) {
		p.saids = append(p.saids, said{})
	}
	if s := &p.saids[a]; s.made || a == 0 {
		return s
	}
	start, info := len(p.buf), p.ctx.AttrInfo(a)
	if len(info.Dict) > 0 {
		p.Str(" <{")
		p.entries(info.Dict)
		p.Str("}>")
	}
	middle := len(p.buf)
	if len(info.Attrs) > 0 {
		p.Str(" {")
		p.entries(info.Attrs)
		p.byte('}')
	}
	p.saids[a] = said{string(p.buf[start:middle]), string(p.buf[middle:]), true}
	p.buf = p.buf[:start]
	return &p.saids[a]
}

// RegionStyle says how a region is printed.
type RegionStyle struct {
	Args     bool      // with a label for the block's arguments
	Empty    bool      // with a label if the block is empty
	Implicit *ir.OpDef // the terminator that is left out if it has nothing to say
	Inline   bool      // `{ op }` on one line, without its results, if all that follows is Implicit, which hands them on
}

// region prints region i of an op, without a leading space.
func (p *Printer) region(v ir.Value, i int, style RegionStyle) {
	outer, dialect, ids := p.f, p.dialect, p.ids
	r := p.enterRegion(v, i)
	g := p.f.g
	p.dialect = ""
	if f := p.forms.of(outer.g.Def(v)); f != nil {
		p.dialect = f.DefaultDialect
	}
	p.byte('{')
	params := g.Params(r)
	if style.Inline && p.inline(r, style.Implicit) {
		p.f, p.dialect, p.ids = outer, dialect, ids
		return
	}
	if style.Args && len(params) > 0 || style.Empty && g.HasBlock(r) && len(p.f.s.Body(r)) == 0 {
		p.newline()
		p.Str("^bb0")
		for j, a := range params {
			if j == 0 {
				p.byte('(')
			} else {
				p.Str(", ")
			}
			p.Value(a)
			p.Str(": ")
			p.Type(g.Type(a))
		}
		if len(params) > 0 {
			p.byte(')')
		}
		p.byte(':')
	}
	p.indent += 2
	p.body(r, style.Implicit)
	p.indent -= 2
	p.newline()
	p.byte('}')
	if !p.numbered {
		for _, a := range params {
			p.release(p.name(a))
		}
		delete(p.f.params, r)
	}
	p.f, p.dialect, p.ids = outer, dialect, ids
}

// inline prints a region of one op, or of its terminator alone, on one line, if it is such a one.
func (p *Printer) inline(r ir.Region, terminator *ir.OpDef) bool {
	g, ops := p.f.g, p.f.s.Body(r)
	if len(ops) == 2 && g.Def(ops[1]) == terminator && g.AttrsOf(ops[1]) == 0 {
		for i, a := range g.Args(ops[1]) {
			if v, k, _ := g.Projection(a); v != ops[0] || k != i {
				return false
			}
		}
		if len(g.Args(ops[1])) != g.Results(ops[0]) {
			return false
		}
	} else if len(ops) != 1 || g.Def(ops[0]) != terminator {
		return false
	}
	p.byte(' ')
	p.withoutResults(ops[0])
	p.Str(" }")
	return true
}

// enterRegion moves to the graph of region i of an op and names its parameters.
func (p *Printer) enterRegion(v ir.Value, i int) ir.Region {
	if kids := p.f.g.Children(v); len(kids) > 0 {
		p.f = p.child(kids[i])
		if !p.numbered && !p.f.params[ir.Root] {
			p.nameParams(ir.Root)
		}
		return ir.Root
	}
	r := p.f.g.Regions(v)[i]
	if !p.numbered && !p.f.params[r] {
		p.nameParams(r)
	}
	return r
}

func (p *Printer) child(g *ir.Graph) *frame {
	if p.f.children == nil {
		p.f.children = map[*ir.Graph]*frame{}
	}
	f := p.f.children[g]
	if f == nil {
		f = p.newFrame(g)
		p.f.children[g] = f
	}
	return f
}

// loc prints where an op comes from.
func (p *Printer) loc(v ir.Value) {
	if !p.opts.DebugInfo {
		return
	}
	ls := p.f.g.LocsOf(v)
	p.Str(" loc(")
	switch {
	case len(ls) == 0:
		p.Str("unknown")
	case len(ls) == 1:
		p.oneLoc(ls[0])
	default:
		p.Str("fused[")
		for i, l := range ls {
			if i > 0 {
				p.Str(", ")
			}
			p.oneLoc(l)
		}
		p.byte(']')
	}
	p.byte(')')
}

func (p *Printer) oneLoc(l ir.Loc) {
	switch {
	case l&ir.LocAttr != 0:
		p.buf = p.ctx.AppendLoc(p.buf, l)
	case p.opts.Source != nil:
		line, col := p.opts.Source.Position(int(l) - 1)
		p.Quoted(p.opts.Source.Name)
		p.byte(':')
		p.Int(int64(line))
		p.byte(':')
		p.Int(int64(col))
	default:
		p.Str("unknown")
	}
}
