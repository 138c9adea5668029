package irctest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/irtest"
)

// program is a random program with the arguments of some calls.
type program struct {
	seed   uint64
	text   string
	entry  string
	inputs []input
}

// generator makes the programs of a test.
type generator struct {
	bias       Bias
	statements []irtest.Statement
	samples    []sample
	examples   int // how many of the samples, the first, are those of the pass that is tested
	dialects   []*ir.Dialect
	share      float64  // of statements among all ops
	own        int      // how many of the statements, the first, are of what is tested
	tiny       bool     // half of the programs are two or three ops and their constants
	uncalled   []string // why functions of samples are not called
}

// newGenerator makes one for programs of samples and of ops that are wanted besides.
func (c Config) newGenerator(list []*ir.Dialect, more []string, wanted []*ir.OpDef) (*generator, error) {
	ctx := ir.NewContext(list...)
	g := &generator{bias: c.Bias, dialects: list, share: 0.5}
	var err error
	sources := append(slices.Clone(more), c.Samples...)
	if g.samples, err = harvest(ctx, sources); err != nil {
		return nil, err
	}
	if len(more) > 0 {
		first, err := harvest(ctx, more)
		if err != nil {
			return nil, err
		}
		g.examples = len(first)
	}
	g.lookForArguments(ctx)
	others, err := harvest(ctx, retyped(ctx, sources))
	if err != nil {
		return nil, err
	}
	g.samples = append(g.samples, others...)
	for i := range g.samples {
		g.statements = append(g.statements, g.samples[i].statements(c.Bias)...)
	}
	for _, name := range c.Bias.Ops {
		if def := ctx.Lookup(name); def != nil {
			wanted = append(wanted, def)
		}
	}
	found, err := discover(ctx, wanted, g.samples)
	if err != nil {
		return nil, err
	}
	g.statements = append(g.statements, found...)
	g.own = len(g.statements)
	g.statements = append(g.statements, c.Bias.standard()...)
	return g, nil
}

// lookForArguments notes the functions of samples that are not called as they are, because one of their arguments is of a type of which
// no value is made.
func (g *generator) lookForArguments(c *ir.Context) {
	r := source{rand.New(rand.NewPCG(0, 0x5b)), 4}
	for _, f := range g.samples {
		for i, t := range f.takes {
			if _, ok := random(r, c, t); f.public && !ok {
				g.uncalled = append(g.uncalled, fmt.Sprintf("@%s of the samples is not called as it is: no argument is made of type %s", f.name, f.types[f.params[i]]))
				break
			}
		}
	}
}

// standard are statements that programs have by their bias.
func (b Bias) standard() (out []irtest.Statement) {
	types := []string{"i32", "i64", "i8"}
	if len(b.Types) > 0 {
		types = slices.DeleteFunc(slices.Clone(b.Types), func(t string) bool { return t[0] == 'f' || t[0] == 'b' })
	}
	for _, t := range types {
		if b.Overflow != None && t != "i1" {
			out = append(out, flagged(t, 1+3*int(b.Overflow/Much)))
		}
		if b.Poison != None {
			out = append(out, irtest.Statement{Weight: 1 + 2*int(b.Poison/Much), Results: []string{t}, Write: func(w *irtest.Writer, _ []string) []string {
				return []string{w.Def(`"ub.poison"() <{value = #ub.poison}> : () -> %s`, t)}
			}})
		}
	}
	return out
}

// flagged is arithmetic that promises not to overflow.
func flagged(t string, weight int) irtest.Statement {
	return irtest.Statement{Weight: weight, Operands: []string{t, t}, Results: []string{t}, Write: func(w *irtest.Writer, args []string) []string {
		return []string{w.Def(`"arith.%s"(%s, %s) <{overflowFlags = #arith.overflow<%s>}> : (%s, %s) -> %s`,
			w.One("addi", "muli", "subi"), args[0], args[1], w.One("nsw", "nuw", "nsw, nuw"), t, t, t)}
	}}
}

// calls are how many a program gets: one without control runs fast, and what is wrong with it shows on few numbers.
const (
	callsStraightLine = 16
	calls             = 4
)

// shape varies the shape of programs with the seed.
func (g *generator) shape(seed uint64) irtest.Config {
	b := g.bias
	c := irtest.Config{Ops: []int{3, 5, 8, 12, 20, 40}[seed/4%6], Share: g.share, Constants: 0.15, Types: b.Types, Statements: g.statements, Depth: 3}
	if b.Size > 0 {
		c.Ops = b.Size
	}
	c.StraightLine = seed%2 == 0
	switch b.Control {
	case None:
		c.StraightLine = true
	case Much:
		c.StraightLine, c.Depth, c.Vars = false, 5, seed%3 == 1
	}
	c.Wide = seed%8 < 6
	c.NoMemory, c.Vars = b.Memory == None, c.Vars && b.Memory != None
	if c.NoMemory {
		c.Wide = false
	} else if b.Memory == Much {
		c.Wide, c.Vars = true, seed%2 == 0
	}
	c.Poison = some(b.Poison, seed%7 == 3)
	c.Guarded = some(b.Poison, seed%4 == 1)
	c.Traps = some(b.Traps, seed%5 == 0)
	return c
}

// kindsOfOps is how many statements a program has that has few: two at a time they make 25 pairs, about as many as
// there are ops.
const kindsOfOps = 5

// few keeps the weights of a few statements alone, of the first ones: ops of few kinds meet, and a program without some kinds
// reaches what these would hide (Groce et al. 2012, swarm testing).
func (g *generator) few(seed uint64, kinds, among int) []irtest.Statement {
	out := slices.Clone(g.statements)
	if among == 0 {
		return out
	}
	r := rand.New(rand.NewPCG(seed, 0x5c))
	keep := map[int]bool{}
	for range kinds {
		keep[r.IntN(among)] = true
	}
	if r.IntN(4) == 0 { // poison and flags, with ops of few kinds, too
		keep[r.IntN(len(out))] = true
	}
	for i := range out {
		if !keep[i] {
			out[i].Weight = 0 // it still makes values of its types
		}
	}
	return out
}

// some is whether a program has something: rarely, always or never.
func some(a Amount, now bool) bool { return a == Much || a == Some && now }

// program makes the program of a seed. Each fifth, of a pass two, is a sample itself, with other constants and flags, on
// random memory.
func (g *generator) program(c *ir.Context, seed uint64) *program {
	if len(g.samples) > 0 && seed%5 == 2 || g.examples > 0 && seed%5 == 4 {
		if p := g.sampled(c, seed); p != nil {
			return p
		}
	}
	cfg := g.shape(seed)
	switch {
	case g.tiny && seed%4 < 2:
		cfg.StraightLine, cfg.Ops, cfg.Constants, cfg.Share = true, 3, 0.4, 1
		cfg.Statements = g.few(seed, kindsOfOps/2, g.own)
	case seed%3 > 0:
		cfg.Statements = g.few(seed, kindsOfOps, len(g.statements))
	}
	p := irtest.New(seed, cfg)
	n := calls
	if cfg.StraightLine {
		n = callsStraightLine
	}
	return &program{seed: seed, text: p.Text, entry: p.Entry, inputs: inputsOf(p, n)}
}

// sampled is a sample that is called with random arguments; nil if there are none of its types.
func (g *generator) sampled(c *ir.Context, seed uint64) *program {
	w := irtest.NewWriter(seed, 0x5a)
	f := g.samples[w.IntN(len(g.samples))]
	if g.examples > 0 && w.Chance(0.5) {
		f = g.samples[w.IntN(g.examples)]
	}
	if !f.public { // nothing but its module calls it
		return nil
	}
	lines := strings.Split(f.whole, "\n")
	for i := range lines {
		lines[i] = g.bias.vary(w, lines[i])
	}
	p := &program{seed: seed, text: strings.Join(lines, "\n"), entry: f.name}
	graph, err := parse(c, p.text, true)
	if err != nil {
		return nil
	}
	types := paramsOf(graph, f.name)
	r := rand.New(rand.NewPCG(seed, 0x5b))
	for k := range callsStraightLine {
		from := source{r, []int{4, 1, 0, 5}[k%4]}
		var in input
		for _, t := range types {
			a, ok := random(from, c, t)
			if !ok {
				return nil
			}
			in = append(in, a)
		}
		if len(in) > 0 {
			alike(r, in)
		}
		p.inputs = append(p.inputs, in)
	}
	return p
}

// dialectsOf are those of an irc, or of this repository where it has none.
func dialectsOf(list []*ir.Dialect) []*ir.Dialect {
	if len(list) == 0 {
		return slices.Clone(dialects.All)
	}
	return list
}
