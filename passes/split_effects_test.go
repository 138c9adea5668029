package passes_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
)

const splitHead = `func.func private @use(memref<4xi64>)
func.func @f(%k: i1, %l: i1, %x: i64, %y: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k9 = arith.constant 9 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %a = memref.alloca() : memref<i64>
  %b = memref.alloca() : memref<i64>
  %c = memref.alloca() : memref<i64>
  memref.store %x, %a[] : memref<i64>
  memref.store %x, %b[] : memref<i64>
  memref.store %y, %c[] : memref<i64>
`

const splitTail = `
  %ra = memref.load %a[] : memref<i64>
  %rb = memref.load %b[] : memref<i64>
  %rc = memref.load %c[] : memref<i64>
  special.print %ra : i64
  special.print %rb : i64
  special.print %rc : i64
  return %k0 : i64 }`

func set(v, m string) string { return "memref.store " + v + ", " + m + "[] : memref<i64>\n" }

// skeleton prints a function as ifs, stores and prints.
func skeleton(g *ir.Graph) string {
	var out string
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	var body func(r ir.Region) string
	body = func(r ir.Region) string {
		var names []string
		for _, v := range s.Body(r) {
			switch name := g.Def(v).Name; name {
			case "memref.store":
				names = append(names, "store")
			case "special.print":
				names = append(names, "print")
			case "scf.if", "scf.for", "scf.while":
				n := name[4:]
				for _, in := range g.Regions(v) {
					n += "{" + body(in) + "}"
				}
				names = append(names, n)
			}
		}
		return strings.Join(names, " ")
	}
	if kids := childrenOf(s); len(kids) > 0 {
		return skeleton(kids[len(kids)-1])
	}
	return out + body(ir.Root)
}

func childrenOf(s *ir.Schedule) (kids []*ir.Graph) {
	for v := range s.All() {
		kids = append(kids, s.Graph().Children(v)...)
	}
	return kids
}

// Every program is split, cleaned up and merged; split says what it is before
// merging, want what it is in the end.
func TestSplitEffects(t *testing.T) {
	for _, k := range []struct{ name, src, split, want string }{
		{"6.1: b is overwritten",
			"scf.if %k {" + set("%k9", "%a") + set("%k1", "%b") + "} else {" + set("%k3", "%c") + "}" + set("%y", "%b"),
			"store store if{store}{} if{}{store} print print print", "store store if{store}{store} print print print"},
		{"nothing is dead: it stays as it was",
			"scf.if %k {" + set("%k9", "%a") + set("%k1", "%b") + "} else {" + set("%k3", "%c") + "}",
			"store store store if{store}{} if{store}{} if{}{store} print print print", "store store store if{store store}{store} print print print"},
		{"one needs what the other has written",
			"scf.if %k { scf.if %l {" + set("%k9", "%a") + "} %v = memref.load %a[] : memref<i64>\n" + set("%v", "%c") + "}" + set("%y", "%b"),
			"store store if{if{store}{} store}{} print print print", "store store if{if{store}{} store}{} print print print"},
		{"one reads what the other writes later",
			"scf.if %k { %v = memref.load %c[] : memref<i64>\n" + set("%k9", "%c") + set("%v", "%a") + set("%v", "%b") + "}" + set("%y", "%b"),
			"store store if{store}{} if{store}{} print print print", "store store if{store store}{} print print print"},
		{"they exchange their values",
			"%o = memref.atomic_rmw addi %k1, %a[] : (i64, memref<i64>) -> i64 %p = memref.atomic_rmw addi %k1, %c[] : (i64, memref<i64>) -> i64\n" +
				"scf.if %k { %v = memref.load %c[] : memref<i64>\n %w = memref.load %a[] : memref<i64>\n" + set("%v", "%a") + set("%w", "%c") + set("%k1", "%b") + "}" + set("%y", "%b"),
			"store store if{store store}{} print print print", "store store if{store store}{} print print print"},
		{"a yielded value that nobody needs with a write that somebody needs",
			"%r = scf.if %k -> (i64) {" + set("%k9", "%a") + set("%k1", "%b") + "%p = arith.muli %x, %y : i64\n scf.yield %p : i64 } else { scf.yield %x : i64 }" + set("%y", "%b"),
			"store if{store}{} print print print", "store if{store}{} print print print"},
		{"prints stay in order",
			"scf.if %k { special.print %k1 : i64 " + set("%k9", "%a") + "special.print %k3 : i64 " + set("%k1", "%b") + "} else { special.print %x : i64 }" + set("%y", "%b"),
			"store if{print print}{print} if{store}{} print print print", "store if{print print store}{print} print print print"},
		{"a nested conditional",
			"scf.if %k { scf.if %l {" + set("%k9", "%a") + set("%k1", "%b") + "} else {" + set("%k3", "%b") + "} } else {" + set("%k3", "%c") + "}" + set("%y", "%b"),
			"store store if{if{store}{}}{} if{}{store} print print print", "store store if{if{store}{}}{store} print print print"},
		{"a loop in a branch is one piece",
			"scf.if %k { scf.for %i = %i0 to %i3 step %i1 { special.print %k1 : i64 " + set("%k9", "%a") + "}" + set("%k1", "%b") + "}" + set("%y", "%b"),
			"store if{for{print store}}{} print print print", "store if{for{print store}}{} print print print"},
		{"two that can be merged across something else",
			"scf.if %k {" + set("%k9", "%a") + "} special.print %x : i64 scf.if %k {" + set("%k3", "%c") + "} else {" + set("%k1", "%a") + "}",
			"store store if{store}{} print if{store}{} if{}{store} print print print", "store store print if{store store}{store} print print print"},
		{"6.2: what lies between depends on one and the other on it",
			"scf.if %k {" + set("%k1", "%a") + "} %t = memref.load %a[] : memref<i64> special.print %t : i64 scf.if %k {" + set("%t", "%c") + "}",
			"store store if{store}{} print if{store}{} print print print", "store store if{store}{} print if{store}{} print print print"},
	} {
		g := read(t, splitHead+k.src+splitTail)
		split, _ := apply(t, g, "split-effects{merge=false}")
		if got := skeleton(split); got != k.split {
			t.Errorf("%s: splits into\n  %s\nwanted\n  %s", k.name, got, k.split)
		}
		n, _ := apply(t, g, "split-effects")
		if got := skeleton(n); got != k.want {
			t.Errorf("%s: becomes\n  %s\nwanted\n  %s", k.name, got, k.want)
		}
		if again, _ := apply(t, n, "split-effects"); show(again) != show(n) {
			t.Errorf("%s: is no fixed point", k.name)
		}
		for i := range int64(4) {
			args := []int64{i & 1, i >> 1, 5, 6}
			want := call(t, g, args...)
			for _, h := range []*ir.Graph{split, n} {
				if got := call(t, h, args...); got != want {
					t.Errorf("%s: @f%v gives %q, wanted %q\n%s", k.name, args, got, want, show(h))
				}
			}
		}
	}
}
