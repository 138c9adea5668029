package cases

import (
	"strings"
	"testing"
)

// variables is @f with the variables a, b and c, which are x, x and y at first, and prints those
// that are named.
func variables(body string, printed ...string) string {
	var b strings.Builder
	b.WriteString(`func.func @f(%k: i1, %l: i1, %x: i64, %y: i64) {
 %k1 = arith.constant 1 : i64
 %k3 = arith.constant 3 : i64
 %k9 = arith.constant 9 : i64
`)
	for _, v := range []string{"a", "b", "c"} {
		b.WriteString(" %" + v + " = memref.alloca() : memref<i64>\n memref.store %" + map[string]string{"a": "x", "b": "x", "c": "y"}[v] + ", %" + v + "[] : memref<i64>\n")
	}
	b.WriteString(body)
	for _, v := range printed {
		b.WriteString(" %r" + v + " = memref.load %" + v + "[] : memref<i64>\n special.print %r" + v + " : i64\n")
	}
	return b.String() + " return\n}\n"
}

func assign(v, x string) string { return " memref.store %" + x + ", %" + v + "[] : memref<i64>\n" }

// each are runs for all values of two conditions: what they print for x = 5 and y = 6.
func each(printed ...string) (runs [][2]string) {
	for i, in := range []string{"true, true", "true, false", "false, true", "false, false"} {
		runs = append(runs, [2]string{"[" + in + ", 5, 6]", strings.ReplaceAll(printed[i], " ", "\n") + "\n[]"})
	}
	return runs
}

// Section 6, conditionals with effects are split and merged.
func TestConditionals(t *testing.T) {
	listed := variables(" scf.if %k {\n"+assign("a", "k9")+assign("b", "k1")+" } else {\n"+assign("c", "k3")+" }\n", "a", "c")
	swapped := variables(" scf.if %k {\n"+assign("c", "k3")+" } else {\n"+assign("b", "k1")+assign("a", "k9")+" }\n", "a", "c")
	judgeAll(t, []program{
		{id: "6.1 b is dead: one if", src: listed, pipeline: "split-effects", runs: each("9 6", "9 6", "5 3", "5 3"),
			static: "scf.if 1, memref.store 4, memref.alloca 2", placed: "if top, store top top if if.1, load top top", ran: "scf.if 1, memref.store 3"},
		{id: "6.1 in between: an if for each that is left", src: listed, pipeline: "split-effects{merge=false}", runs: each("9 6", "9 6", "5 3", "5 3"),
			static: "scf.if 2, memref.store 4, memref.alloca 2", placed: "if top top, store top top if if.1", ran: "scf.if 2, memref.store 3"},
		{id: "6.1 nothing is dead: three pieces, and one if again", src: strings.Replace(listed, " return", " %rb = memref.load %b[] : memref<i64>\n special.print %rb : i64\n return", 1), pipeline: "split-effects{merge=false}",
			runs: each("9 6 1", "9 6 1", "5 3 5", "5 3 5"), static: "scf.if 3, memref.store 6, memref.alloca 3", placed: "if top top top, store top top top if if if.1", ran: "scf.if 3, memref.store 5"},
		{id: "6.1 the branches swapped", src: swapped, pipeline: "split-effects", runs: each("5 3", "5 3", "9 6", "9 6"),
			static: "scf.if 1, memref.store 4, memref.alloca 2", placed: "if top, store top top if if.1", ran: "scf.if 1, memref.store 3"},
		{id: "6.1 all but a are dead: no else", src: variables(" scf.if %k {\n"+assign("a", "k9")+assign("b", "k1")+" } else {\n"+assign("c", "k3")+" }\n", "a"), pipeline: "split-effects",
			runs: each("9", "9", "5", "5"), static: "scf.if 1, memref.store 2, memref.alloca 1", placed: "if top, store top if", ran: "scf.if 1, memref.store 2"},
		{id: "6.1 under another condition", src: variables(" scf.if %l {\n scf.if %k {\n"+assign("a", "k9")+assign("b", "k1")+" } else {\n"+assign("c", "k3")+" }\n }\n", "a", "c"), pipeline: "split-effects",
			runs: each("9 6", "5 6", "5 3", "5 6"), static: "scf.if 2, memref.store 4, memref.alloca 2", placed: "if top if, store top top if/if if/if.1", ran: "scf.if 2, memref.store 3"},
		{id: "6.2 t = a between two pieces: they are not merged", pipeline: "split-effects",
			src:  variables(" scf.if %k {\n"+assign("a", "k1")+" }\n %t = memref.load %a[] : memref<i64>\n special.print %t : i64\n scf.if %k {\n"+assign("c", "t")+" }\n", "c"),
			runs: each("1 1", "1 1", "5 6", "5 6"), static: "scf.if 2, memref.store 4", placed: "if top top, store top top if if, load top top", ran: "scf.if 2, memref.store 4"},
		{id: "6.2 the second reads what the first writes: they stay two", pipeline: "split-effects",
			src:  variables(" scf.if %k {\n"+assign("a", "k1")+" }\n scf.if %k {\n %t = memref.load %a[] : memref<i64>\n"+assign("c", "t")+" }\n", "a", "c"),
			runs: each("1 1", "1 1", "5 6", "5 6"), static: "scf.if 2, memref.store 4", placed: "if top top, store top top if if, load top top", ran: "scf.if 2, memref.store 4"},
		{id: "6.2 what prints stays in order", pipeline: "split-effects",
			src:  variables(" scf.if %k {\n special.print %k1 : i64\n"+assign("a", "k1")+" }\n special.print %x : i64\n scf.if %k {\n special.print %k3 : i64\n"+assign("c", "k3")+" }\n", "a", "c"),
			runs: each("1 5 3 1 3", "1 5 3 1 3", "5 5 6", "5 5 6"), static: "scf.if 2, special.print 5", placed: "if top top, print if top if top top", ran: "scf.if 2, special.print 5"},
	})
}
