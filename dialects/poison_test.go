package dialects_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// poisoned lists functions of x, each with ub.poison as one operand of an op.
func poisoned(c *ir.Context) (out []string) {
	for _, d := range append(arith.Dialect.Ops[1:len(arith.Dialect.Ops):len(arith.Dialect.Ops)], math.Dialect.Ops...) {
		if d == arith.AdduiExtended || d == arith.MuluiExtended || d == arith.MulsiExtended {
			continue // mlir-opt crashes
		}
		for at := range len(d.Args) {
			for _, t := range []ir.Type{ir.I32, ir.F32} {
				if f := onePoison(c, d, at, t); f != "" {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// onePoison writes a function that applies d to operands of type t, of which the
// one at a place is poison, or "".
func onePoison(c *ir.Context, d *ir.OpDef, at int, t ir.Type) string {
	var attr string
	var props ir.Attr
	if d == arith.Cmpi || d == arith.Cmpf {
		attr, props = " <{predicate = 2 : i64}>", c.Props([]ir.NamedAttr{{Name: "predicate", Value: c.IntAttr(2, ir.I64)}}, nil)
	}
	ins := make([]ir.Type, len(d.Args))
	names, types := make([]string, len(ins)), make([]string, len(ins))
	for i := range ins {
		ins[i] = t
		if d == arith.Select && i == 0 {
			ins[i] = ir.I1
		} else if d == math.Fpowi && i == 1 {
			ins[i] = ir.I32
		}
		names[i], types[i] = fmt.Sprintf("%%x%d", i), text.TypeString(c, ins[i])
	}
	for _, out := range []ir.Type{ir.NoType, ir.I8, ir.I64, ir.F16, ir.F64, ir.Index, ir.F32, ir.I32} {
		b := ir.NewBuilder(c)
		var args []ir.Value
		for _, in := range ins {
			args = append(args, b.Param(in))
		}
		v, err := b.Make(ir.Call{Def: d, Args: args, Type: out, Attr: props})
		if err != nil {
			continue
		}
		params := make([]string, len(ins))
		for i := range ins {
			params[i] = names[i] + ": " + types[i]
		}
		res := text.TypeString(c, b.Graph().Type(v))
		given := strings.Join(names, ", ")
		names[at] = "%p"
		return fmt.Sprintf("// %s of %s\nfunc.func @f(%s) -> %s {\n  %%p = ub.poison : %s\n  %%r = \"%s\"(%s)%s : (%s) -> %s\n  return %%r : %s\n}\n",
			d.Name, given, strings.Join(params, ", "), res, types[at], d.Name, strings.Join(names, ", "), attr, strings.Join(types, ", "), res, res)
	}
	return ""
}

// Ops of poison become what MLIR makes of them: poison, the other operand of a
// select, or nothing else.
func TestPoisonFoldsAsInMLIR(t *testing.T) {
	tool, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("comparing with MLIR needs mlir-opt-19")
	}
	funcs := poisoned(ir.NewContext(mine...))
	if len(funcs) < 80 {
		t.Fatal("only", len(funcs), "functions")
	}
	cmd := exec.Command(tool, "-canonicalize", "-split-input-file")
	cmd.Stdin = strings.NewReader(strings.Join(funcs, "// -----\n"))
	data, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	theirs := strings.Split(string(data), "// -----")
	if len(theirs) != len(funcs) {
		t.Fatalf("%d answers to %d questions", len(theirs), len(funcs))
	}
	for i, f := range funcs {
		if strings.Contains(f, "bitcast") {
			continue // MLIR 19 makes a number of it, a different one each time
		}
		ours := text.String(parse(t, "f", f, false), text.PrintOptions{})
		if kind(ours) != kind(theirs[i]) {
			t.Errorf("%sbecomes\n%sMLIR makes\n%s", f, ours, theirs[i])
		}
	}
}

// kind says whether a function gives poison, an argument, or an op's result.
func kind(f string) string {
	switch lines := strings.Count(f, " = "); {
	case lines == 0:
		return "an argument"
	case lines == 1 && strings.Contains(f, "ub.poison"):
		return "poison"
	}
	return "an op"
}

// A division of what may be poison may give poison, whatever it is divided by: what freezes it stays.
func TestFrozenDivisions(t *testing.T) {
	for _, name := range []string{"divui", "divsi", "ceildivui", "ceildivsi", "floordivsi", "remui", "remsi"} {
		ours := text.String(parse(t, "f", `
func.func private @f(%x: i32, %y: i32) -> i32 {
  %d = arith.`+name+` %x, %y : i32
  %r = ub.freeze %d : i32
  return %r : i32
}`, false), text.PrintOptions{})
		if !strings.Contains(ours, "ub.freeze") {
			t.Errorf("the freeze is gone from\n%s", ours)
		}
	}
}

// Poison runs: what is not asked for is not looked at, and a branch on it traps.
func TestPoisonRuns(t *testing.T) {
	g := parse(t, "f", `
func.func @pick(%c: i1, %x: i32) -> i32 {
  %p = ub.poison : i32
  %s = arith.shli %x, %p : i32
  %r = arith.select %c, %x, %s : i32
  return %r : i32
}
func.func @memory() -> memref<?xi32> {
  %m = ub.poison : memref<?xi32>
  return %m : memref<?xi32>
}`, true)
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fn     string
		args   []ir.Val
		poison bool
	}{
		{"pick", []ir.Val{ir.BoolVal(true), ir.IntVal(7, 32)}, false},
		{"pick", []ir.Val{ir.BoolVal(false), ir.IntVal(7, 32)}, true},
		{"memory", nil, true},
	} {
		out, err := m.Call(c.fn, c.args)
		if err != nil || out[0].IsPoison() != c.poison || !c.poison && out[0].Bits != 7 {
			t.Errorf("%s(%v) = %v, %v", c.fn, c.args, out, err)
		}
	}
}

// An assertion ends the run after what was printed before it, before what may trap
// after it, and says where and why.
func TestAssert(t *testing.T) {
	src := `
func.func @f(%x: i32, %y: i32) -> i32 {
  %zero = arith.constant 0 : i32
  special.print %x : i32
  %ok = arith.cmpi ne, %y, %zero : i32
  cf.assert %ok, "\1By is not\00 zero"
  special.print %y : i32
  %q = arith.divsi %x, %y : i32
  return %q : i32
}`
	for _, verbatim := range []bool{false, true} {
		g := parse(t, "f", src, verbatim)
		m, err := interp.New(g, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Call("f", []ir.Val{ir.IntVal(8, 32), {}})
		if err == nil || !ir.IsTrap(err) || !strings.Contains(err.Error(), "'cf.assert' op: trap: assertion failed: ?y is not? zero in @f") {
			t.Errorf("got %v", err)
		}
		if len(m.Printed()) != 1 {
			t.Errorf("printed %v", m.Printed())
		}
		if out, err := m.Call("f", []ir.Val{ir.IntVal(8, 32), ir.IntVal(2, 32)}); err != nil || out[0].Bits != 4 {
			t.Errorf("got %v, %v", out, err)
		}
	}
}

// What is asserted and true is gone; what is not stays, although nothing uses it.
func TestAssertFolds(t *testing.T) {
	g := parse(t, "f", `
func.func @f(%c: i1) {
  %true = arith.constant true
  cf.assert %true, "never"
  cf.assert %c, "kept"
  return
}`, false)
	if s := text.String(g, text.PrintOptions{}); strings.Count(s, "cf.assert") != 1 || !strings.Contains(s, `"kept"`) {
		t.Error(s)
	}
}

// Their attributes are checked; MLIR has no words of its verifier for these.
func TestPoisonAndAssertAttributes(t *testing.T) {
	for src, says := range map[string]string{
		`%p = "ub.poison"() <{value = 1 : i32}> : () -> i32`: "attribute 'value' failed to satisfy constraint: #ub.poison",
		`"cf.assert"(%b) <{msg = 1 : i32}> : (i1) -> ()`:     "attribute 'msg' failed to satisfy constraint: string attribute",
	} {
		src = "func.func @f(%b: i1) {\n" + src + "\nreturn }"
		if _, errs := text.Parse(ir.NewContext(mine...), &diag.Source{Name: "f", Text: src}, text.Options{}); errs.Err() == nil || !strings.Contains(errs.Err().Error(), says) {
			t.Errorf("%s: %v", src, errs.Err())
		}
	}
}
