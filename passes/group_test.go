package passes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/ordering"
)

// randomBody is a function of n ops that read and write three memories which may be the
// same, under a condition or not.
func randomBody(r *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%m0: memref<i32>, %m1: memref<i32>, %m2: memref<i32>, %c: i1, %x: i32) -> i32 {\n")
	vals := []string{"%x"}
	val := func() string { return vals[r.IntN(len(vals))] }
	for i := range n {
		m, v := r.IntN(3), fmt.Sprintf("%%v%d", i)
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "memref.store %s, %%m%d[] : memref<i32>\n", val(), m)
		case 1:
			fmt.Fprintf(&b, "%s = memref.load %%m%d[] : memref<i32>\n", v, m)
			vals = append(vals, v)
		case 2:
			fmt.Fprintf(&b, "scf.if %%c {\n memref.store %s, %%m%d[] : memref<i32>\n}\n", val(), m)
		case 3:
			fmt.Fprintf(&b, "%s = arith.muli %s, %s : i32\n", v, val(), val())
			vals = append(vals, v)
		}
	}
	sum := "%x"
	for i, v := range vals {
		fmt.Fprintf(&b, "%%s%d = arith.xori %s, %s : i32\n", i, sum, v)
		sum = fmt.Sprintf("%%s%d", i)
	}
	fmt.Fprintf(&b, "return %s : i32\n}\n", sum)
	return b.String()
}

// mustFollow is the oracle: by place in the body, whether an op must come after another,
// directly or not, by all edges of the graph.
func mustFollow(g *ir.Graph, s *ir.Schedule) [][]bool {
	body := s.Body(ir.Root)
	at := map[ir.Value]int{}
	for i, v := range body {
		at[v] = i
	}
	out := make([][]bool, len(body))
	for i, v := range body {
		out[i] = make([]bool, len(body))
		seen := map[ir.Value]bool{}
		var walk func(v ir.Value, values bool)
		walk = func(v ir.Value, values bool) {
			if seen[v] {
				return
			}
			seen[v] = true
			if k, ok := at[v]; ok {
				out[i][k] = k != i
			}
			values = values || s.Live(v)
			if n, _, ok := g.Projection(v); ok {
				walk(n, values)
			}
			if values {
				for _, a := range g.Args(v) {
					walk(a, true)
				}
			}
			for _, e := range slices.Concat(g.Hard(v), g.Soft(v)) {
				walk(e, false)
			}
			for _, in := range g.Regions(v) {
				for _, w := range s.Body(in) {
					walk(w, true)
				}
			}
		}
		walk(v, true)
	}
	return out
}

// hasPlace tries every place: members at that of one of them, everything else where it was.
func hasPlace(follow [][]bool, members []int) bool {
	for k := range members {
		var order []int
		for i := range follow {
			if i == members[k] {
				order = append(order, members...)
			} else if !slices.Contains(members, i) {
				order = append(order, i)
			}
		}
		ok := true
		for i, a := range order {
			for _, b := range order[i+1:] {
				both := slices.Contains(members, a) && slices.Contains(members, b)
				ok = ok && (both || !follow[a][b])
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// A set of ops is a group if and only if brute force finds a place for it.
func TestGroupsAgainstBruteForce(t *testing.T) {
	legal, tried := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		file := read(t, randomBody(r, 12))
		g := file.Children(ir.NewSchedule(file, ir.ScheduleOptions{}).Body(ir.Root)[0])[0]
		if inner := ir.NewSchedule(g, ir.ScheduleOptions{}).Body(ir.Root)[0]; len(g.Children(inner)) > 0 {
			g = g.Children(inner)[0]
		}
		s := ir.NewSchedule(g, ir.ScheduleOptions{})
		body, follow := s.Body(ir.Root), mustFollow(g, s)
		for range 20 {
			members := r.Perm(len(body) - 1)[:2+r.IntN(2)]
			slices.Sort(members)
			var vs []ir.Value
			for _, i := range members {
				vs = append(vs, body[i])
			}
			got, want := ordering.NewGroups(s).Add(vs...), hasPlace(follow, members)
			if got != want {
				t.Fatalf("seed %d: ops %v of\n%s\nare a group: %v, by brute force %v", seed, members, show(file), got, want)
			}
			tried++
			if want {
				legal++
			}
		}
	}
	if legal*10 < tried || legal*10 > tried*9 {
		t.Errorf("%d of %d are legal: the test sees one side only", legal, tried)
	}
}

// Two groups that are legal each alone may need one another.
func TestGroupsThatNeedOneAnother(t *testing.T) {
	g := read(t, `func.func @f(%c: i1, %d: i1, %m: memref<i32>, %n: memref<i32>, %x: i32) -> i32 {
  %a1 = scf.if %c -> (i32) { %v = memref.load %m[] : memref<i32> scf.yield %v : i32 } else { scf.yield %x : i32 }
  %b1 = scf.if %d -> (i32) { %v = memref.load %n[] : memref<i32> scf.yield %v : i32 } else { scf.yield %x : i32 }
  %a2 = scf.if %c -> (i32) { %v = arith.muli %b1, %b1 : i32 scf.yield %v : i32 } else { scf.yield %b1 : i32 }
  %b2 = scf.if %d -> (i32) { %v = arith.muli %a1, %a1 : i32 scf.yield %v : i32 } else { scf.yield %a1 : i32 }
  %s = arith.addi %a2, %b2 : i32
  return %s : i32
}`)
	var ifs []ir.Value
	var s *ir.Schedule
	var find func(g *ir.Graph)
	find = func(g *ir.Graph) {
		at := ir.NewSchedule(g, ir.ScheduleOptions{})
		for _, v := range at.Body(ir.Root) {
			if g.Def(v) == scf.If {
				ifs, s = append(ifs, v), at
			}
			for _, c := range g.Children(v) {
				find(c)
			}
		}
	}
	find(g)
	if len(ifs) != 4 {
		t.Fatalf("there are %d conditionals", len(ifs))
	}
	if alone := ordering.NewGroups(s); !alone.Add(ifs[1], ifs[3]) {
		t.Error("the second and the fourth are no group")
	}
	x := ordering.NewGroups(s)
	if !x.Add(ifs[0], ifs[2]) || x.Add(ifs[1], ifs[3]) || x.Len() != 1 {
		t.Error("two groups need one another")
	}
	n, _ := apply(t, g, "split-effects")
	if err := ir.Verify(n); err != nil {
		t.Error(err)
	}
}
