package derivatives

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/derivatives/wide"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// defaults are the passes that any program goes through on the level of structured loops.
const defaults = "lower{to=scf},unroll{inner=true},sroa,mem2reg,licm,split-sums,factor-sums,unroll{short=true},licm"

// derived is a program and what differentiate makes of it.
type derived struct {
	t              *testing.T
	seed           uint64
	src            string
	grad           *ir.Graph // nil where there is no way back
	f, back, forth *wide.Machine
	twice          *wide.Machine // nil for most
	tangents       []int         // of the second derivative
}

// derivedOf differentiates a program: as it is, behind the default passes, before them, or both.
func derivedOf(t *testing.T, seed uint64) *derived {
	t.Helper()
	d := &derived{t: t, seed: seed, src: random(seed)}
	g := parsed(t, d.src)
	back, err := through(g, d.pipeline("reverse"))
	if err != nil && !strings.Contains(err.Error(), "of its type cannot be recorded") {
		d.fail("%v", err)
	}
	forth, forthErr := through(g, d.pipeline("forward"))
	if forthErr != nil {
		d.fail("%v", forthErr)
	}
	d.f, d.forth = wide.New(g), wide.New(forth)
	if err != nil {
		return d
	}
	d.grad, d.back = back, wide.New(back)
	if seed%10 == 0 {
		h, err := through(back, "differentiate{of=f_grad wrt=0,1,2,3,4 mode=forward}")
		if err != nil {
			d.fail("%v", err)
		}
		d.twice, d.tangents = wide.New(h), tangents(h, "f_grad_jvp")
	}
	return d
}

func (d *derived) fail(format string, args ...any) {
	d.t.Helper()
	made := ""
	if d.grad != nil {
		made = text.String(d.grad, text.PrintOptions{})
	}
	d.t.Fatalf("seed %d: "+format+"\n%s\n%s", append(append([]any{d.seed}, args...), d.src, made)...)
}

// same compares one program at one of a few points where it has a derivative.
func same(t *testing.T, seed uint64) outcome {
	d := derivedOf(t, seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for range 3 {
		p := somewhere(r)
		p.alias = seed%2 == 0 && !strings.Contains(d.src, "llvm.noalias")
		if !d.at(p, seeds(r), r) {
			continue
		}
		if d.grad == nil {
			return refused
		}
		return agrees
	}
	return edge
}

// at compares at a point, unless a decision there hangs on a step or on rounding.
func (d *derived) at(p point, weights [1 + arrays*elements]float64, r *rand.Rand) bool {
	exact, at, direction, s := wide.Mode{Exact: true}, p.vector(), drawn(r), vectorOf(weights[:])
	if p.alias {
		for i := p.coordinates(); i < len(direction); i++ {
			direction[i] = ref.New(0)
		}
	}
	here := begin(d.f, exact, p)
	value := here.weighed(at, s)
	moved := func(h ref.F) ([]ref.F, uint64) {
		c := begin(d.f, exact, p)
		return []ref.F{c.weighed(at.plus(h, direction), s)}, c.Decisions
	}
	onward := begin(d.forth, exact, p).onward(at, direction, s)
	// Where there is no way back, forward mode is compared with differences; else both modes are.
	if d.grad == nil {
		v, want := differences(moved, here.Decisions, []ref.F{onward}, []ref.F{sizeOf(onward)})
		if v == wrong {
			d.fail("forward %v, by differences %v", floatOf(onward), floats64(want))
		}
		return v == equal
	}
	back := begin(d.back, exact, p)
	slopes := back.gradient(at, s)
	if isFinite(value) && !areClose([]ref.F{back.value}, []ref.F{value}, []ref.F{ref.New(0)}, []ref.F{ref.Add(ref.New(1), sizeOf(value))}) {
		d.fail("with its gradient the program gives and writes %v, alone %v", floatOf(back.value), floatOf(value))
	}
	inReverse, size := dot(direction, slopes)
	switch v, want := differences(moved, here.Decisions, []ref.F{inReverse}, []ref.F{size}); {
	case v == unknown:
		return false
	case v == wrong:
		d.fail("in reverse %v, by differences %v\nslopes %v", floatOf(inReverse), floats64(want), floats64(slopes))
	case !areClose([]ref.F{onward}, []ref.F{inReverse}, []ref.F{ref.New(0)}, []ref.F{size}):
		d.fail("forward %v, in reverse %v", floatOf(onward), floatOf(inReverse))
	}
	if d.twice != nil {
		d.again(p, at, s, drawn(r), back.Decisions)
	}
	return d.rounded(p, weights, at, s, slopes, back.Decisions)
}

// rounded compares what f64 makes of a gradient: on the interpreter it is what the evaluator makes of it without errors, and
// no further from the exact one than errors of some units in the last place lead.
func (d *derived) rounded(p point, weights [1 + arrays*elements]float64, at, s vector, slopes []ref.F, decisions uint64) bool {
	far, same := spread(53, slopes, decisions, func(mode wide.Mode) ([]ref.F, uint64) {
		c := begin(d.back, mode, p)
		return c.gradient(at, s), c.Decisions
	})
	if !same {
		return false
	}
	got := d.call(machine(d.t, d.grad).Call, "f_grad", ir.F64, p, weights[:1], weights[1:])
	for i, x := range got[1:] {
		if !isRounding(x, slopes[i], far[i], 53) {
			d.fail("derivative %d is %v, and should be %v; rounding makes a difference of %v", i, x, floatOf(slopes[i]), far[i])
		}
	}
	return true
}

// again compares the gradient's tangent in a direction, forward over reverse, with differences of gradients: a product of the
// Hessian and a vector. A rule decides too, as by the sign of a number: the gradient may have an edge where the program has none.
func (d *derived) again(p point, at, s, direction vector, decisions uint64) {
	exact := wide.Mode{Exact: true}
	got := begin(d.twice, exact, p).second(at, direction, s, d.tangents)
	sizes := lists.Map(got, sizeOf)
	v, want := differences(func(h ref.F) ([]ref.F, uint64) {
		c := begin(d.back, exact, p)
		return c.gradient(at.plus(h, direction), s), c.Decisions
	}, decisions, got, sizes)
	if v == wrong {
		d.fail("second derivatives are %v, by differences %v", floats64(got), floats64(want))
	}
}

// sizeOf is 1 + |x|.
func sizeOf(x ref.F) ref.F {
	if !isFinite(x) {
		return ref.New(1)
	}
	return ref.Add(ref.New(1), ref.Abs(x))
}

func floats64(x []ref.F) []float64 { return lists.Map(x, floatOf) }
