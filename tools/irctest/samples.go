package irctest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// How often a statement is written beside others. A function as a whole is what a rule looks for; the ops that feed
// one another are what it looks for in part; an op alone is what it should leave alone.
const (
	weightFunction = 8
	weightTree     = 4
	weightOp       = 3
)

// A piece is an op of a sample, as text in generic form.
type piece struct {
	lines    []string
	def      *ir.OpDef
	uses     []string // names, in order, that are defined outside of it
	results  []string // names
	children []int    // the pieces that define what it uses
}

// A sample is a function of which statements are made.
type sample struct {
	name   string
	whole  string // the text that has it
	public bool
	pieces []piece
	types  map[string]string // of names
	params []string
	takes  []ir.Type // of params, in the context of the generator
	yields []string  // names that it returns
}

var nameInText = regexp.MustCompile(`%[A-Za-z0-9_$.-]+(#[0-9]+)?`)

// harvest finds the functions of samples. What does not parse is an error: a sample that is not used proves nothing.
func harvest(c *ir.Context, sources []string) (out []sample, err error) {
	for i, src := range sources {
		g, err := parse(c, src, true)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		generic := text.String(g, text.PrintOptions{Generic: true})
		again, err := parse(c, generic, true) // the names of the text belong to the nodes of this graph
		if err != nil {
			return nil, fmt.Errorf("sample %d in generic form: %w\n%s", i, err, generic)
		}
		out = append(out, functions(again, generic, strings.Split(generic, "\n"))...)
	}
	return out, nil
}

// retypings are what types of numbers a sample is tried on besides its own: what a rule asks of a type it is to be asked.
var retypings = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\bi32\b`), "i64"}, {regexp.MustCompile(`\bi32\b`), "i8"}, {regexp.MustCompile(`\bi64\b`), "i32"},
	{regexp.MustCompile(`\bf64\b`), "f32"}, {regexp.MustCompile(`\bf32\b`), "f64"},
}

// retyped are samples on other types, as far as that makes programs.
func retyped(c *ir.Context, sources []string) (out []string) {
	for _, src := range sources {
		for _, r := range retypings {
			other := r.from.ReplaceAllString(src, r.to)
			if g, err := parse(c, other, true); other != src && err == nil && ir.Verify(g) == nil && symbols.Check(g) == nil {
				out = append(out, other)
			}
		}
	}
	return out
}

// functions takes the functions at the top of a program apart: the ops of each in the order of its lines.
func functions(g *ir.Graph, whole string, lines []string) (out []sample) {
	s := ir.ScheduleOf(g)
	for _, v := range s.Body(ir.Root) {
		if g.Def(v) == builtin.Module {
			for _, child := range g.Children(v) {
				out = append(out, functions(child, whole, lines)...)
			}
		}
		if g.Def(v) != funcs.Func || len(g.Children(v)) == 0 {
			continue
		}
		name := g.Ctx.AttrInfo(g.Attr(v, "sym_name")).Str
		if f, ok := takeApart(g.Children(v)[0], name, lines); ok {
			f.whole, f.public = whole, !symbols.IsPrivate(g.NodeOf(v))
			out = append(out, f)
		}
	}
	return out
}

func takeApart(g *ir.Graph, name string, lines []string) (f sample, ok bool) {
	quoted := fmt.Sprintf("sym_name = %q", name)
	at := slices.IndexFunc(lines, func(l string) bool {
		return strings.Contains(l, `"func.func"() <{`) && strings.Contains(l, quoted)
	})
	if at < 0 {
		return f, false
	}
	indent := len(lines[at]) - len(strings.TrimLeft(lines[at], " "))
	end := at + 1
	for end < len(lines) && !strings.HasPrefix(lines[end], strings.Repeat(" ", indent)+"})") {
		end++
	}
	f = sample{name: name, types: map[string]string{}}
	body := lines[at+1 : end]
	if len(body) > 0 && strings.HasPrefix(strings.TrimSpace(body[0]), "^") {
		for i, p := range nameInText.FindAllString(body[0], -1) {
			t := g.Type(g.Params(ir.Root)[i])
			f.params, f.takes = append(f.params, p), append(f.takes, t)
			f.types[p] = text.TypeString(g.Ctx, t)
		}
		body = body[1:]
	}
	return f, f.split(g, ir.ScheduleOf(g).Body(ir.Root), body)
}

// split finds the lines of each op: one begins where a line of the function's own indent begins with a result or a name.
func (f *sample) split(g *ir.Graph, ops []ir.Value, body []string) bool {
	var begins []int
	indent := 0
	for i, l := range body {
		if trimmed := strings.TrimLeft(l, " "); i == 0 || len(l)-len(trimmed) == indent && (trimmed[0] == '%' || trimmed[0] == '"') {
			begins, indent = append(begins, i), len(l)-len(trimmed)
		}
	}
	if len(begins) != len(ops) {
		return false
	}
	for k, v := range ops {
		end := len(body)
		if k+1 < len(begins) {
			end = begins[k+1]
		}
		f.add(g, v, body[begins[k]:end])
	}
	return true
}

// add makes a piece of the lines of an op.
func (f *sample) add(g *ir.Graph, v ir.Value, lines []string) {
	p := piece{lines: lines, def: g.Def(v)}
	inside := map[string]bool{}
	results := g.Ctx.Results(g.Type(v))
	for i, l := range lines {
		head := ""
		if before, _, ok := strings.Cut(strings.TrimLeft(l, " "), ` = "`); ok && strings.HasPrefix(before, "%") {
			head, _, _ = strings.Cut(before, ":")
		} else if strings.HasPrefix(before, "^") {
			for _, name := range nameInText.FindAllString(l, -1) {
				inside[name] = true
			}
			continue
		}
		if i == 0 && head != "" {
			for r := range results {
				name := head
				if len(results) > 1 {
					name = fmt.Sprintf("%s#%d", head, r)
				}
				p.results = append(p.results, name)
				f.types[name] = text.TypeString(g.Ctx, results[r])
			}
		}
		for _, name := range nameInText.FindAllString(l, -1) {
			if base, _, _ := strings.Cut(name, "#"); !inside[base] && base != head && !slices.Contains(p.uses, name) {
				p.uses = append(p.uses, name)
			}
		}
		inside[head] = true
	}
	for _, name := range p.uses {
		for j, q := range f.pieces {
			if slices.Contains(q.results, name) && !slices.Contains(p.children, j) {
				p.children = append(p.children, j)
			}
		}
	}
	if p.def.Has(ir.Terminator) {
		f.yields = p.uses
		return
	}
	f.pieces = append(f.pieces, p)
}

// statements are what programs are made of: the ops of a sample one by one, each with those that feed it, and the
// function as a whole.
func (f *sample) statements(b Bias) (out []irtest.Statement) {
	all, whole := make([]int, len(f.pieces)), true
	for i, p := range f.pieces {
		all[i] = i
		if p.names() {
			whole = false
			continue
		}
		if p.def == arith.Constant {
			continue
		}
		out = append(out, f.statement([]int{i}, weightOp, b))
		if len(p.children) > 0 && len(p.lines) == 1 && !slices.ContainsFunc(p.children, func(i int) bool { return f.pieces[i].names() }) {
			out = append(out, f.statement(append(slices.Clone(p.children), i), weightTree, b))
		}
	}
	if len(all) > 1 && whole {
		out = append(out, f.statement(all, weightFunction, b))
	}
	return out
}

// names reports an op that defines or names a symbol, which other programs have not.
func (p *piece) names() bool {
	return p.def.Has(ir.Symbol) || slices.ContainsFunc(p.lines, func(l string) bool { return strings.Contains(l, "= @") })
}

// statement writes some of the pieces: what they use of others are its operands.
func (f *sample) statement(of []int, weight int, b Bias) irtest.Statement {
	slices.Sort(of)
	var results, operands []string
	var lines []string
	for _, i := range of {
		p := &f.pieces[i]
		for _, name := range p.uses {
			if !slices.Contains(results, name) && !slices.Contains(operands, name) {
				operands = append(operands, name)
			}
		}
		results = append(results, p.results...)
		lines = append(lines, p.lines...)
	}
	s := irtest.Statement{Weight: weight}
	for _, name := range operands {
		s.Operands = append(s.Operands, f.types[name])
	}
	for _, name := range results {
		s.Results = append(s.Results, f.types[name])
	}
	s.Write = func(w *irtest.Writer, args []string) (made []string) {
		names := map[string]string{}
		for i, name := range operands {
			names[name] = args[i]
		}
		rename := func(name string) string {
			if to := names[name]; to != "" {
				return to
			}
			base, at, several := strings.Cut(name, "#")
			if names[base] == "" {
				names[base] = w.Name()
			}
			if several {
				return names[base] + "#" + at
			}
			return names[base]
		}
		for _, l := range lines {
			l = nameInText.ReplaceAllStringFunc(strings.TrimLeft(l, " "), rename)
			w.Line("%s", b.vary(w, l))
		}
		for _, name := range results {
			made = append(made, rename(name))
		}
		return made
	}
	return s
}

var (
	overflowFlags = regexp.MustCompile(`#arith\.overflow<[a-z, ]*>`)
	constantOf    = regexp.MustCompile(`(= "arith\.constant"\(\) <\{value = )-?[0-9]+( : (i[0-9]+|index)\}>)`)
	predicateOf   = regexp.MustCompile(`("arith\.cmpi".*predicate = )[0-9]`)
)

// vary writes an op a little differently now and then: what a rule asks of flags, constants and comparisons it is
// given otherwise, too.
func (b Bias) vary(w *irtest.Writer, line string) string {
	if strings.Contains(line, "overflow<") && b.Overflow != None && w.Chance(map[Amount]float64{Some: 0.4, Much: 0.7}[b.Overflow]) {
		line = overflowFlags.ReplaceAllString(line, "#arith.overflow<"+w.One("none", "nsw", "nuw", "nsw, nuw")+">")
	}
	if m := constantOf.FindStringSubmatch(line); m != nil && w.Chance(0.3) {
		line = constantOf.ReplaceAllString(line, "${1}"+w.One("0", "1", "-1", "2", "3", "7", "16")+"${2}")
	}
	if w.Chance(0.15) {
		line = predicateOf.ReplaceAllString(line, "${1}"+w.One("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"))
	}
	return line
}
