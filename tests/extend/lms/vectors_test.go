package lms_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/extend/lms"
)

// lowered runs a pipeline for the interpreter.
func lowered(t *testing.T, g *ir.Graph, pipeline string) *ir.Graph {
	t.Helper()
	p, err := pass.Parse(pipeline, lowering.AllPasses())
	if err == nil {
		err = p.Check(g.Ctx.Dialects())
	}
	if err != nil {
		t.Fatal(err)
	}
	n, err := (&pass.Manager{Target: target.Interp(), VerifyEach: true}).Run(context.Background(), g, p)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const (
	toVectors = "lower{to=lms.vectors}"
	toArrays  = toVectors + ",lower{to=lms.arrays}"
)

// Two arrays of functions of the index, and an index that nobody knows.
const twoVectors = `%a = lms.arr %i < %n { %p = lms.p "p1"(%i : i64) : i64 lms.yield %p } %b = lms.arr %i < %n { %p = lms.p "p2"(%i : i64) : i64 lms.yield %p }
  %j = arith.extui %c : i1 to i64
`

const showAll = `%t = lms.sum %i < %n { %e = lms.read %s[%i] %l = arith.muli %e, %e : i64 lms.yield %l } lms.print %t`

// Sums of vectors at their own level, and as arrays: what the rules on vectors leave
// is one loop for each array that is kept.
var vectorCases = []struct {
	id, src         string
	vectors, arrays string   // the trees at the two levels
	runs            []string // at the level of arrays
}{
	{"8.1 zeros + b = b", twoVectors + `%z = lms.zeros %n %s = lms.plus %z, %b %r = lms.read %s[%j] lms.print %r`,
		"arr{p2} extui read print", "arr{p2} extui read print", []string{"0 0 0 0: p2 100, arr 1, plus 0, zeros 0"}},
	{"8.2 worklist1", worklist, "zeros extui read print print", "arr{} extui read print print", []string{"0 0 0 0: arr 1, addi 0"}},
	{"zeros of another size", twoVectors + `%z = lms.zeros %m %s = lms.plus %b, %z %r = lms.len %s lms.print %r %u = lms.read %s[%j] lms.print %u`,
		"arr{p2} extui zeros print read read addi print", "arr{p2} extui arr{} print read read addi print", nil},
	{"zeros that are more", twoVectors + `%z = lms.zeros %n %b1 = lms.arr %i < %m { %p = lms.p "p2"(%i : i64) : i64 lms.yield %p } %s = lms.plus %z, %b1 %r = lms.len %s %u = lms.read %s[%j] lms.print %r lms.print %u`,
		"extui arr{p2} read print print", "extui arr{p2} read print print", nil},
	{"an element of a sum", twoVectors + `%s = lms.plus %a, %b %r = lms.read %s[%k3] lms.print %r`,
		"arr{p1} arr{p2} read read addi print", "arr{p1} arr{p2} read read addi print", []string{"0 0 0 0: addi 1, plus 0"}},
	{"an element of zeros", twoVectors + `%z = lms.zeros %n %u = lms.zeros %m %s = lms.plus %z, %u %r = lms.read %s[%k3] lms.print %r`, "print", "print", nil},
	{"all elements of a sum, once", twoVectors + `%s = lms.plus %a, %b ` + showAll,
		"arr{p1} arr{p2} sum{read read addi muli} print", "arr{p1} arr{p2} sum{read read addi muli} print", []string{"0 0 0 0: p1 100, addi 100"}},
	{"3.14: only the length", twoVectors + `%s = lms.plus %a, %b %l = lms.len %s lms.print %l`, "print", "print", nil},
	{"what is kept is one loop", twoVectors + `%u = lms.plus %a, %b %s = lms.plus %u, %a %w = lms.clone %s : !lms.arr %r = lms.read %w[%j] lms.print %r`,
		"arr{p1} arr{p2} extui plus plus clone read print", "extui arr{p1 p2 addi addi} clone read print", []string{"0 0 0 0: p1 100, p2 100, addi 200, arr 1, read 1"}},
	{"and so is a power of two of sums", "%v0 = lms.arr %i < %n { lms.yield %i }\n" + doubled(20) + `%w = lms.clone %v20 : !lms.arr %r = lms.read %w[%k3] lms.print %r`,
		"arr{}" + strings.Repeat(" plus", 20) + " clone read print", "arr{" + strings.Repeat("addi ", 19) + "addi} clone read print", []string{"0 0 0 0: addi 2000, arr 1"}},
	{"one that is kept is not made again", twoVectors + `%u = lms.plus %a, %b %s = lms.plus %u, %a %w = lms.clone %s : !lms.arr %r = lms.read %w[%j] %w1 = lms.clone %u : !lms.arr %r1 = lms.read %w1[%j] lms.print %r lms.print %r1`,
		"arr{p1} arr{p2} extui plus plus clone read clone read print print",
		"extui arr{p1 p2 addi} arr{read p1 addi} clone read clone read print print", nil},
	{"a mutable operand is read where it is added", `%a = lms.newmut %k3 lms.write %a[%k0], %x %z = lms.zeros %k3 %b = lms.plus %a, %z lms.write %a[%k0], %y %r = lms.read %b[%k0] %s = lms.read %a[%k1] lms.print %r lms.print %s`,
		"newmut write zeros plus write read read print print", "newmut write arr{read} write read read print print", nil},
}

// doubled adds a vector to itself n times.
func doubled(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%%v%d = lms.plus %%v%d, %%v%d\n", i+1, i, i)
	}
	return b.String()
}

func TestVectors(t *testing.T) {
	for _, k := range vectorCases {
		t.Run(k.id, func(t *testing.T) {
			c := memtest.Context(lms.Dialect)
			g := graph(t, c, k.src, "canonicalize")
			written := memtest.Parse(t, c, head+k.src+"\n  return }", text.Options{Verbatim: true})
			for _, level := range []struct{ pipeline, want string }{{toVectors, k.vectors}, {toArrays, k.arrays}, {"lower{to=lms.arrays}", ""}, {"lower{to=lms.arrays fuse=false}", ""}} {
				low := lowered(t, g, level.pipeline)
				if got := tree(low); level.want != "" && got != level.want {
					t.Errorf("%s: got\n  %s\nwanted\n  %s\n%s", level.pipeline, got, level.want, memtest.Text(low))
				}
				for _, in := range inputs() {
					if got, want := memtest.Outcome(t, low, "f", vals(in)...), memtest.Outcome(t, written, "f", vals(in)...); got != want && !strings.Contains(want, "trap") {
						t.Errorf("%s: @f%v shows %q, wanted %q\n%s", level.pipeline, in, got, want, memtest.Text(low))
					}
				}
			}
			for _, run := range k.runs {
				checkRun(t, lowered(t, g, toArrays), run)
			}
		})
	}
}

// The schedule decides: what is read in an inner loop is summed before.
func TestReadOften(t *testing.T) {
	src := twoVectors + `%s = lms.plus %a, %b %t = lms.sum %q < %n { %t1 = lms.sum %i < %n { %e = lms.read %s[%i] %l = arith.muli %e, %q : i64 lms.yield %l } lms.yield %t1 } lms.print %t`
	g := graph(t, memtest.Context(lms.Dialect), src, "canonicalize")
	if got, want := tree(lowered(t, g, toVectors)), "arr{p1} arr{p2} plus sum{sum{read muli}} print"; got != want {
		t.Errorf("got\n  %s\nwanted\n  %s", got, want)
	}
	if got, want := tree(lowered(t, g, toArrays)), "arr{p1 p2 addi} sum{sum{read muli}} print"; got != want {
		t.Errorf("got\n  %s\nwanted\n  %s", got, want)
	}
}

// Random sums of vectors of several sizes, some of them mutable, show the same at every
// level, and no vector is left at the last.
func TestRandomVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for i := range 30 {
		src := vectorProgram(r)
		c := memtest.Context(lms.Dialect)
		g := graph(t, c, src, "canonicalize")
		written := memtest.Parse(t, c, head+src+"\n  return }", text.Options{Verbatim: true})
		for _, pipeline := range []string{toVectors, toArrays, "lower{to=lms.arrays}", toArrays + ",canonicalize", "lower{to=lms.arrays fuse=false},lower{to=lms.arrays}"} {
			low := lowered(t, g, pipeline)
			if s := memtest.Text(low); pipeline != toVectors && (strings.Contains(s, "lms.plus") || strings.Contains(s, "lms.zeros")) {
				t.Errorf("%d: %s leaves vectors in\n%s", i, pipeline, s)
			}
			for _, in := range [][]int64{{4, 9, 0, 1}, {1, 2, 1, 0}} {
				if got, want := memtest.Outcome(t, low, "f", vals(in)...), memtest.Outcome(t, written, "f", vals(in)...); got != want {
					t.Fatalf("%d: %s: @f%v shows %q, wanted %q\n%s\nof\n%s", i, pipeline, in, got, want, memtest.Text(low), src)
				}
			}
		}
	}
}

// vectorProgram makes arrays of 3 and of 7 elements, adds some, writes to one in between, and
// shows elements and sums.
func vectorProgram(r *rand.Rand) string {
	var b strings.Builder
	arrays, short := []string{"%m0", "%z3", "%z7", "%f3", "%f7"}, map[string]bool{"%m0": true, "%z3": true, "%f3": true}
	b.WriteString(`%m0 = lms.newmut %k3 %z3 = lms.zeros %k3 %z7 = lms.zeros %k7 %j = arith.extui %c : i1 to i64
  %f3 = lms.arr %i < %k3 { %p = lms.p "p1"(%i : i64) : i64 lms.yield %p } %f7 = lms.arr %i < %k7 { %q = arith.muli %i, %x : i64 lms.yield %q }
`)
	any := func() string { return arrays[r.IntN(len(arrays))] }
	for i := range 3 + r.IntN(10) {
		name := fmt.Sprintf("%%s%d", i)
		switch n := r.IntN(8); {
		case n < 5:
			x, y := any(), any()
			fmt.Fprintf(&b, "%s = lms.plus %s, %s\n", name, x, y)
			arrays, short[name] = append(arrays, name), short[x] || short[y]
		case n == 5:
			fmt.Fprintf(&b, "lms.write %%m0[%%j], %%y\n")
		case n == 6:
			fmt.Fprintf(&b, "%s = lms.read %s[%s] lms.print %s\n", name, any(), []string{"%j", "%k1", "%k2"}[r.IntN(3)], name)
		default:
			x, size := any(), "%k7"
			if short[x] {
				size = "%k3"
			}
			fmt.Fprintf(&b, "%s = lms.sum %%i < %s { %%e = lms.read %s[%%i] lms.yield %%e } lms.print %s\n", name, size, x, name)
		}
	}
	last := arrays[len(arrays)-1]
	fmt.Fprintf(&b, "%%w = lms.sum %%i < %%k3 { %%e = lms.read %s[%%i] %%l = lms.len %s %%u = arith.muli %%e, %%l : i64 lms.yield %%u } lms.print %%w", last, last)
	return b.String()
}
