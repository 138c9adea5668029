package dependence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// The oracle runs small random programs on symbolic memory for all values of their
// parameters, and compares: which updates write what is read, the maximal cliques,
// the signs of offsets, reads without a value, and which writes reach which reads
// when the program is run from top to bottom.
func TestOracle(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 300
	}
	rng := rand.New(rand.NewPCG(5, 17))
	edges, flows, cliques, undefined := 0, 0, 0, 0
	for range rounds {
		text := randomProgram(rng)
		p := program(t, text)
		r := Analyze(p)
		o := brute(p)
		for _, i := range r.Infos {
			var on []Node
			for _, d := range i.Dependences {
				if d.Kind == Ordinary {
					on = append(on, d.On...)
				}
			}
			got := ids(Expand(on))
			if want := ids(o.affecting(i.Statement)); got != want {
				t.Fatalf("%s\n%s: ordinary on %s, want %s", text, i.ID, got, want)
			}
			edges += len(Expand(on))
			for w := range o.reaching[i.Statement] {
				flows++
				if !slices.Contains(Expand(on), w) {
					t.Fatalf("%s\n%s is reached by %s, and does not depend on it", text, i.ID, w.ID)
				}
			}
			o.offsets(t, text, i)
		}
		if got, want := cliqueText(r), o.cliques(); got != want {
			t.Fatalf("%s\ncliques %s, want %s", text, got, want)
		}
		cliques += len(r.Cliques)
		for _, i := range r.Infos {
			said := false
			for _, d := range r.Problems {
				said = said || strings.HasPrefix(d.Message, i.ID+" (") && strings.Contains(d.Message, "which no statement defines")
			}
			if said != o.undefined[i.Statement] {
				t.Fatalf("%s\n%s: reported as undefined: %v, want %v", text, i.ID, said, o.undefined[i.Statement])
			}
			if said {
				undefined++
			}
		}
	}
	t.Logf("%d programs: %d dependences, %d flows, %d dummies, %d undefined reads", rounds, edges, flows, cliques, undefined)
	if !testing.Short() && (flows < rounds || cliques < rounds/4 || undefined < rounds/4) {
		t.Error("the programs are too dull")
	}
}

// randomProgram writes statements over two arrays and a scalar; all reads are of
// single elements.
func randomProgram(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("param a k\nshape x 4\nshape z 3 2\n")
	conds := []string{"", "", "", "if a", "if !a", "if k==0", "if k==1", "if !k==0", "if k<1"}
	loops := []string{"", "", "for i 0 3", "for i 1 4", "for i 0 3 for j 0 2", "for i 0 3 for j 0 i", "for i 0 3 if i<2", "for i 0 3 if !i<2", "for i 0 3 if i==k"}
	for range 2 + rng.IntN(5) {
		l := loops[rng.IntN(len(loops))]
		element := func() string {
			sub := func() string {
				list := []string{"0", "1", "2", "k"}
				if strings.Contains(l, " i ") {
					list = append(list, "i", "i", "i-1", "i+1", "3-i", "2i")
				}
				if strings.Contains(l, " j ") {
					list = append(list, "j", "j", "i-j")
				}
				return list[rng.IntN(len(list))]
			}
			switch rng.IntN(5) {
			case 0:
				return "s"
			case 1, 2:
				return "z[" + sub() + "," + sub() + "]"
			}
			return "x[" + sub() + "]"
		}
		fmt.Fprintf(&b, "op | %s %s | %s <-", l, conds[rng.IntN(len(conds))], element())
		for range rng.IntN(3) {
			b.WriteString(" " + element())
		}
		b.WriteString("\n")
	}
	return b.String()
}

// touch is an access of one instance of a statement, under one choice of parameters.
type touch struct {
	s       *Statement
	a       *Access
	element string
	at      []int64 // of its loops
	world   int
}

type bruteForce struct {
	p         *Program
	touches   []touch
	anywhere  map[*Statement]map[string]bool // written, conditions without loops left out, by world and element
	reaching  map[*Statement]map[*Statement]bool
	undefined map[*Statement]bool
}

func brute(p *Program) *bruteForce {
	o := &bruteForce{p: p, anywhere: map[*Statement]map[string]bool{}, reaching: map[*Statement]map[*Statement]bool{}, undefined: map[*Statement]bool{}}
	world := 0
	for a := int64(0); a < 2; a++ {
		for k := int64(-3); k < 8; k++ {
			o.run(map[string]int64{"a": a, "k": k}, world)
			world++
		}
	}
	return o
}

// run executes the program: reads of an instance come before its write.
func (o *bruteForce) run(env map[string]int64, world int) {
	memory := map[string]*Statement{}
	defined := map[string]bool{}
	reads := map[string][]*Statement{}
	for _, s := range o.p.Statements {
		o.instances(s, env, 0, nil, func(at []int64) {
			free := true
			for _, c := range s.Domain.Conds {
				if !c.mentions(s.Domain.Loops) {
					continue
				}
				free = free && truth(c, env)
			}
			if free {
				if e, ok := elementOf(&s.Accesses[0], env); ok {
					if o.anywhere[s] == nil {
						o.anywhere[s] = map[string]bool{}
					}
					o.anywhere[s][fmt.Sprint(world, e)] = true
				}
			}
			for _, c := range s.Domain.Conds {
				if !truth(c, env) {
					return
				}
			}
			for k := len(s.Accesses) - 1; k >= 0; k-- {
				x := &s.Accesses[k]
				e, ok := elementOf(x, env)
				if !ok {
					continue
				}
				o.touches = append(o.touches, touch{s, x, e, slices.Clone(at), world})
				if !x.Write {
					reads[e] = append(reads[e], s)
					if w := memory[e]; w != nil {
						if o.reaching[s] == nil {
							o.reaching[s] = map[*Statement]bool{}
						}
						o.reaching[s][w] = true
					}
				} else {
					memory[e], defined[e] = s, true
				}
			}
		})
	}
	for e, ss := range reads {
		for _, s := range ss {
			o.undefined[s] = o.undefined[s] || !defined[e]
		}
	}
}

func (o *bruteForce) instances(s *Statement, env map[string]int64, depth int, at []int64, f func(at []int64)) {
	if depth == len(s.Domain.Loops) {
		f(at)
		return
	}
	l := s.Domain.Loops[depth]
	for i := eval(*l.Lo, env); i < eval(*l.Hi, env); i++ {
		env[l.Index] = i
		o.instances(s, env, depth+1, append(at, i), f)
	}
	delete(env, l.Index)
}

func eval(a presburger.Sum, env map[string]int64) int64 {
	n := a.Const
	for _, t := range a.Terms {
		n += t.Times * env[t.Var]
	}
	return n
}

func truth(c Cond, env map[string]int64) bool {
	switch n := eval(c.a, env); c.op {
	case equal:
		return n == 0
	case unequal:
		return n != 0
	case atLeast:
		return n >= 0
	case holds:
		return n == 1
	case fails:
		return n == 0
	}
	panic("condition")
}

// elementOf names an element; what is out of bounds is none.
func elementOf(a *Access, env map[string]int64) (string, bool) {
	out := a.Var.Name
	for k, s := range a.Subs {
		n := eval(s.Lo, env)
		if n < 0 || n >= a.Var.Shape[k] {
			return "", false
		}
		out += fmt.Sprintf(",%d", n)
	}
	return out, true
}

// affecting lists the statements that write something that s reads, in some world.
func (o *bruteForce) affecting(s *Statement) (out []*Statement) {
	read := map[string]bool{}
	for _, x := range o.touches {
		if x.s == s && !x.a.Write {
			read[fmt.Sprint(x.world, x.element)] = true
		}
	}
	for _, w := range o.p.Statements {
		if slices.ContainsFunc(o.touches, func(x touch) bool {
			return x.s == w && x.a.Write && read[fmt.Sprint(x.world, x.element)]
		}) {
			out = append(out, w)
		}
	}
	return out
}

// cliques tries all subsets.
func (o *bruteForce) cliques() string {
	n := len(o.p.Statements)
	adjacent := func(i, j int) bool {
		for e := range o.anywhere[o.p.Statements[i]] {
			if o.anywhere[o.p.Statements[j]][e] {
				return true
			}
		}
		return false
	}
	isClique := func(set int) bool {
		for i := range n {
			for j := range i {
				if set>>i&1 == 1 && set>>j&1 == 1 && !adjacent(i, j) {
					return false
				}
			}
		}
		return true
	}
	var out []string
	for set := 1; set < 1<<n; set++ {
		if !isClique(set) || set&(set-1) == 0 {
			continue
		}
		maximal := true
		var members []*Statement
		for i := range n {
			if set>>i&1 == 1 {
				members = append(members, o.p.Statements[i])
			} else {
				maximal = maximal && !isClique(set|1<<i)
			}
		}
		if maximal {
			out = append(out, ids(members))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func cliqueText(r *Result) string {
	var out []string
	for _, k := range r.Cliques {
		out = append(out, ids(k.Members))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func ids(ss []*Statement) string {
	var out []string
	for _, s := range ss {
		out = append(out, s.ID)
	}
	return strings.Join(out, " ")
}

// offsets compares those of dependences on single statements.
func (o *bruteForce) offsets(t *testing.T, text string, i *Info) {
	for _, d := range i.Dependences {
		if d.Kind != Ordinary || d.Offsets == nil {
			continue
		}
		signs := make([]map[int]bool, len(d.Offsets))
		values := make([]map[int64]bool, len(d.Offsets))
		for k := range signs {
			signs[k], values[k] = map[int]bool{}, map[int64]bool{}
		}
		for _, w := range Expand(d.On) {
			for _, x := range o.touches {
				for _, y := range o.touches {
					if x.s != w || !x.a.Write || y.s != i.Statement || y.a.Write || x.world != y.world || x.element != y.element {
						continue
					}
					together := true
					for k := range d.Offsets {
						delta := x.at[k] - y.at[k]
						values[k][delta] = true
						if together {
							signs[k][max(-1, min(1, int(delta)))] = true
						}
						together = together && delta == 0
					}
				}
			}
		}
		for k, got := range d.Offsets {
			if got.Before != signs[k][-1] || got.Same != signs[k][0] || got.After != signs[k][1] ||
				got.Constant != (len(values[k]) == 1) || got.Constant && !values[k][got.Value] {
				t.Fatalf("%s\n%s on %s: offset %d is %+v, want signs %v of %v", text, i.ID, d.Label(), k, got, signs[k], values[k])
			}
		}
	}
}
