package prove

import (
	"context"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// programs make each fold and clean-up of an op with regions fire, between ops that trap and that give poison.
var programs = map[string]string{
	"if true {A} else {B} = A": `func.func private @main(%x: i4, %y: i4) -> (i4, i4) {
  %t = arith.constant true
  %f = arith.constant false
  %r = scf.if %t -> (i4) {
    %a = arith.divui %x, %y : i4
    scf.yield %a : i4
  } else {
    %b = arith.divsi %y, %x : i4
    scf.yield %b : i4
  }
  %s = scf.if %f -> (i4) {
    %a = arith.remui %x, %y : i4
    scf.yield %a : i4
  } else {
    %b = arith.addi %y, %x overflow<nsw> : i4
    scf.yield %b : i4
  }
  return %r, %s : i4, i4
}`,
	"if !c {A} else {B} = if c {B} else {A}": `func.func private @main(%c: i1, %x: i4, %y: i4) -> i4 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %r = scf.if %n -> (i4) {
    %a = arith.divui %x, %y : i4
    scf.yield %a : i4
  } else {
    %b = arith.divsi %y, %x : i4
    scf.yield %b : i4
  }
  return %r : i4
}`,
	"what both branches of an if yield needs no if": `func.func private @main(%c: i1, %x: i4, %y: i4) -> (i4, i4) {
  %r:2 = scf.if %c -> (i4, i4) {
    %a = arith.divui %x, %y : i4
    scf.yield %x, %a : i4, i4
  } else {
    scf.yield %x, %y : i4, i4
  }
  return %r#0, %r#1 : i4, i4
}`,
	"results of an if that both branches give the same are one": `func.func private @main(%c: i1, %x: i4, %y: i4) -> (i4, i4) {
  %r:2 = scf.if %c -> (i4, i4) {
    %a = arith.divui %x, %y : i4
    scf.yield %a, %a : i4, i4
  } else {
    %b = arith.divui %y, %x : i4
    scf.yield %b, %b : i4, i4
  }
  return %r#0, %r#1 : i4, i4
}`,
	"if c {true} else {false} = c": `func.func private @main(%c: i1) -> (i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %r = scf.if %c -> (i1) {
    scf.yield %t : i1
  } else {
    scf.yield %f : i1
  }
  %s = scf.if %c -> (i1) {
    scf.yield %f : i1
  } else {
    scf.yield %t : i1
  }
  return %r, %s : i1, i1
}`,
	"an if that only chooses is a select": `func.func private @main(%c: i1, %x: i4, %y: i4) -> i4 {
  %r = scf.if %c -> (i4) {
    scf.yield %x : i4
  } else {
    scf.yield %y : i4
  }
  return %r : i4
}`,
	"execute_region = its body": `func.func private @main(%x: i4, %y: i4) -> i4 {
  %r = scf.execute_region -> i4 {
    %q = arith.divsi %x, %y : i4
    scf.yield %q : i4
  }
  return %r : i4
}`,
	"a result of an if that nobody needs is left out": `func.func private @main(%c: i1, %x: i4, %y: i4) -> i4 {
  %r:2 = scf.if %c -> (i4, i4) {
    %a = arith.divui %x, %y : i4
    scf.yield %a, %x : i4, i4
  } else {
    %b = arith.divui %y, %x : i4
    scf.yield %b, %y : i4, i4
  }
  return %r#0 : i4
}`,
	"cmpi: decided by the conditions and the loops around": `func.func private @main(%x: i4, %y: i4) -> (i1, i1) {
  %c5 = arith.constant 5 : i4
  %c7 = arith.constant 7 : i4
  %f = arith.constant false
  %c = arith.cmpi slt, %x, %c5 : i4
  %r:2 = scf.if %c -> (i1, i1) {
    %a = arith.cmpi slt, %x, %c7 : i4
    %b = arith.cmpi ult, %x, %y : i4
    scf.yield %a, %b : i1, i1
  } else {
    %a = arith.cmpi eq, %x, %y : i4
    scf.yield %f, %a : i1, i1
  }
  return %r#0, %r#1 : i1, i1
}`,
}

// ofWholes are rules of such ops about values that are no integers.
var ofWholes = []string{
	"an if that gives a struct gives its fields",
	"if c {emit x} else {emit y} = emit (if c {x} else {y})",
	"what the branches of an if make of the elements of one product is a map, which picks by the condition",
}

// Each fold and clean-up of an op with regions does in a program what the program does, poison and traps included.
func TestRegionFoldsAreProven(t *testing.T) {
	known := Known()
	for _, d := range dialects.All {
		for _, of := range d.Folds {
			if known[of.Of] != nil && elsewhere(of) && !slices.Contains(ofOthers, of.Rule) && !slices.Contains(ofWholes, of.Rule) {
				t.Run(of.Rule, func(t *testing.T) { proveProgram(t, of.Rule, func(d *ir.Dialect) { d.Folds = keep(d.Folds, of.Rule) }) })
			}
		}
		for _, of := range d.Cleanups {
			if known[of.Of] != nil && !slices.Contains(ofWholes, of.Rule) {
				t.Run(of.Rule, func(t *testing.T) {
					proveProgram(t, of.Rule, func(d *ir.Dialect) {
						d.Folds = nil
						d.Cleanups = slices.DeleteFunc(slices.Clone(d.Cleanups), func(c ir.Cleanup) bool { return c.Rule != of.Rule })
					})
				})
			}
		}
	}
}

func keep(folds []ir.Fold, rule string) []ir.Fold {
	return slices.DeleteFunc(slices.Clone(folds), func(f ir.Fold) bool { return f.Rule != rule })
}

// proveProgram compares a program as it is written with what one rule makes of it.
func proveProgram(t *testing.T, rule string, only func(*ir.Dialect)) {
	src := module(t, programs[rule])
	var alone []*ir.Dialect
	for _, d := range dialects.All {
		one := *d
		only(&one)
		alone = append(alone, &one)
	}
	c := ir.NewContext(alone...)
	fired := false
	c.Watch = func(e ir.Event) { fired = fired || e.Kind == ir.Folded && e.Rule == rule }
	tgt, errs := text.Parse(c, diag.NewSource("in.mlir", programs[rule]), text.Options{})
	if errs.Err() != nil {
		t.Fatal(errs)
	}
	tgt = ir.Rewrite(c, ir.ScheduleOf(tgt), c.Cleanups(), nil)
	if !fired {
		t.Fatal("the rule never fires in its proof")
	}
	a, err := Refines(context.Background(), Question{Src: Function{Body: Bodies(src)["main"]}, Tgt: Function{Body: Bodies(tgt)["main"]}})
	if err != nil || a.Counter != nil {
		t.Errorf("%v: %v\n%s", err, a, textOf(tgt))
	}
}
