package prove

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// A step of a random program is an op on two values of 8 bits that stand before it.
type step struct {
	op, flag string
	a, b     int
}

// smt are the ops as SMT-LIB has them, with what makes them poison and undefined, of %x and %y with the result %r.
var smt = map[string]struct{ result, poison, undefined string }{
	"addi": {"(bvadd %x %y)", "", ""}, "subi": {"(bvsub %x %y)", "", ""}, "muli": {"(bvmul %x %y)", "", ""},
	"andi": {"(bvand %x %y)", "", ""}, "ori": {"(bvor %x %y)", "", ""}, "xori": {"(bvxor %x %y)", "", ""},
	"shli": {"(bvshl %x %y)", "(bvuge %y #x08)", ""}, "shrui": {"(bvlshr %x %y)", "(bvuge %y #x08)", ""}, "shrsi": {"(bvashr %x %y)", "(bvuge %y #x08)", ""},
	"maxsi": {"(ite (bvsgt %x %y) %x %y)", "", ""}, "minui": {"(ite (bvult %x %y) %x %y)", "", ""},
	"divui": {"(bvudiv %x %y)", "", "(or %q (= %y #x00))"}, "remui": {"(bvurem %x %y)", "", "(or %q (= %y #x00))"},
	"divsi": {"(bvsdiv %x %y)", "", "(or %q (= %y #x00) (and (= %y #xff) (or %p (= %x #x80))))"},
	"remsi": {"(bvsrem %x %y)", "", "(or %q (= %y #x00) (and (= %y #xff) (or %p (= %x #x80))))"},
}

// extended is the poison of a flag: the result is not that of twice the width.
func extended(op, flag string) string {
	by := map[string]string{"nsw": "(_ sign_extend 8)", "nuw": "(_ zero_extend 8)"}[flag]
	return fmt.Sprintf("(distinct (%s %%r) (%s (%s %%x) (%s %%y)))", by, map[string]string{"addi": "bvadd", "subi": "bvsub", "muli": "bvmul"}[op], by, by)
}

// mlir is a program as a function; smtLib as definitions with a prefix.
func mlir(name string, steps []step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func private @%s(%%v0: i8, %%v1: i8) -> i8 {\n  %%v2 = arith.constant 3 : i8\n", name)
	for i, s := range steps {
		flag := ""
		if s.flag != "" {
			flag = " overflow<" + s.flag + ">"
		}
		fmt.Fprintf(&b, "  %%v%d = arith.%s %%v%d, %%v%d%s : i8\n", i+3, s.op, s.a, s.b, flag)
	}
	fmt.Fprintf(&b, "  return %%v%d : i8\n}\n", len(steps)+2)
	return b.String()
}

func smtLib(prefix string, steps []step) string {
	var b strings.Builder
	define := func(name, sort, term string) {
		fmt.Fprintf(&b, "(define-fun %s%s () %s %s)\n", prefix, name, sort, term)
	}
	for i := range 2 {
		define(fmt.Sprint("v", i), "(_ BitVec 8)", fmt.Sprint("x", i))
		define(fmt.Sprint("p", i), "Bool", fmt.Sprint("q", i))
	}
	define("v2", "(_ BitVec 8)", "#x03")
	define("p2", "Bool", "false")
	undefined := "false"
	for i, s := range steps {
		m, n := smt[s.op], i+3
		of := strings.NewReplacer("%x", fmt.Sprint(prefix, "v", s.a), "%y", fmt.Sprint(prefix, "v", s.b), "%p", fmt.Sprint(prefix, "p", s.a),
			"%q", fmt.Sprint(prefix, "p", s.b), "%r", fmt.Sprint(prefix, "v", n))
		define(fmt.Sprint("v", n), "(_ BitVec 8)", of.Replace(m.result))
		poison := "%p %q"
		if m.poison != "" {
			poison += " " + m.poison
		}
		if s.flag != "" {
			poison += " " + extended(s.op, s.flag)
		}
		define(fmt.Sprint("p", n), "Bool", of.Replace("(or "+poison+")"))
		if m.undefined != "" {
			undefined = "(or " + undefined + " " + of.Replace(m.undefined) + ")"
		}
	}
	define("u", "Bool", undefined)
	return b.String()
}

// The verdict on random pairs of programs that differ in one op is that of Z3, which is told what the ops mean by the
// standard of SMT-LIB.
func TestSameAsZ3(t *testing.T) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("comparing with Z3 needs z3")
	}
	r := rand.New(rand.NewPCG(20, 26))
	names := strings.Fields("addi subi muli andi ori xori shli shrui shrsi maxsi minui divui remui divsi remsi")
	random := func(at int) step {
		s := step{op: names[r.IntN(len(names))], a: r.IntN(at + 3), b: r.IntN(at + 3)}
		if smt[s.op].poison == "" && strings.Contains("addi subi muli", s.op) {
			s.flag = []string{"", "nsw", "nuw"}[r.IntN(3)]
		}
		return s
	}
	var script strings.Builder
	var answers []string
	var programs []string
	for range 150 {
		src := []step{random(0), random(1), random(2)}
		tgt := append([]step{}, src...)
		switch at := r.IntN(3); r.IntN(3) {
		case 0:
			tgt[at].a, tgt[at].b = tgt[at].b, tgt[at].a
		case 1:
			tgt[at].flag = ""
		default:
			tgt[at] = random(at)
		}
		text := mlir("src", src) + mlir("tgt", tgt)
		bodies := Bodies(module(t, text))
		a, err := Refines(context.Background(), Question{Src: Function{Body: bodies["src"]}, Tgt: Function{Body: bodies["tgt"]}})
		if err != nil {
			t.Fatal(err)
		}
		answers, programs = append(answers, map[bool]string{true: "unsat", false: "sat"}[a.Counter == nil]), append(programs, text)
		fmt.Fprintf(&script, "(push)\n(declare-const x0 (_ BitVec 8))\n(declare-const x1 (_ BitVec 8))\n(declare-const q0 Bool)\n(declare-const q1 Bool)\n%s%s"+
			"(assert (and (not su) (or tu (and (not sp5) (or tp5 (distinct sv5 tv5))))))\n(check-sat)\n(pop)\n", smtLib("s", src), smtLib("t", tgt))
	}
	cmd := exec.Command(z3, "-in", "-T:100")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	theirs, proven := strings.Fields(string(out)), 0
	if len(theirs) != len(answers) {
		t.Fatalf("%d answers to %d questions: %.300s", len(theirs), len(answers), out)
	}
	for i, a := range answers {
		if a == "unsat" {
			proven++
		}
		if theirs[i] != a {
			t.Errorf("%s, and Z3 says %s, of\n%s", a, theirs[i], programs[i])
		}
	}
	if proven < 20 || proven > 130 {
		t.Errorf("%d of %d are proven", proven, len(answers))
	}
}
