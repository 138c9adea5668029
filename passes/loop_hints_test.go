package passes_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
)

// expLoop applies exp to an array of N numbers.
const expLoop = `func.func @f(%x: memref<NxT>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant N : index
  scf.for %i = %c0 to %cn step %c1 {
    %a = memref.load %x[%i] : memref<NxT>
    %b = math.exp %a : T
    memref.store %b, %x[%i] : memref<NxT>
  }
  return
}
`

var lanes = regexp.MustCompile(`irc\.lanes = (\d+)`)

// A loop gets a hint where the target says that vectors pay, of a width that its registers
// have, and LLVM is told.
func TestLoopHints(t *testing.T) {
	wide := func(t *target.Target) { t.Vector = 64 } // with masks
	for _, k := range []struct {
		n, elem string
		change  func(*target.Target)
		want    string
	}{
		{"27", "f64", wide, "8 masked"}, // 4 wide vectors, the last with a mask, or 7
		{"25", "f64", wide, "8 masked"},
		{"20", "f64", wide, "8 masked"}, // 5 vectors, or 3 wide ones
		{"17", "f64", wide, "8 masked"},
		{"32", "f64", wide, "8"},
		{"27", "f64", nil, "8"},
		{"32", "f64", nil, "8"},
		{"20", "f64", nil, "4"}, // 5 vectors, or 2 wide ones and 4 rounds
		{"32", "f64", func(t *target.Target) { t.Vector = 16 }, "4"},
		{"32", "f64", func(t *target.Target) { t.Vector = 8 }, ""}, // no vectors
		{"15", "f64", nil, ""},
		{"15", "f64", wide, "8 masked"},
		{"7", "f64", wide, "8 masked"},
		{"6", "f64", wide, ""},
		{"8", "f64", wide, ""},
		{"3", "f64", wide, ""},
		{"15", "f32", wide, ""},
		{"15", "f64", func(t *target.Target) { t.Costs.MinRounds = 15 }, "4"},
		{"32", "f64", func(t *target.Target) { t.Costs.MinFloats = 1000 }, ""},
		{"32", "f32", nil, ""}, // LLVM's own estimate does
		{"32", "f32", wide, "16"},
		{"27", "f32", wide, "16 masked"},
	} {
		m := *target.Host()
		m.Vector = 32
		if k.change != nil {
			k.change(&m)
		}
		p, err := pass.Parse("lower-math,loop-hints", all())
		if err != nil {
			t.Fatal(err)
		}
		g, err := (&pass.Manager{Target: &m, VerifyEach: true}).Run(t.Context(), read(t, strings.NewReplacer("N", k.n, "T", k.elem).Replace(expLoop)), p)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if found := lanes.FindStringSubmatch(text.String(g, text.PrintOptions{})); found != nil {
			got = found[1]
		}
		masked := strings.Contains(text.String(g, text.PrintOptions{}), "irc.masked")
		if masked {
			got += " masked"
		}
		if got != k.want {
			t.Errorf("%s rounds of %s for %s: %q lanes, want %q", k.n, k.elem, &m, got, k.want)
		}
		ll, err := llvm.Text(g, llvm.Options{Target: &m})
		if err != nil {
			t.Fatal(err)
		}
		width, _, _ := strings.Cut(got, " ")
		if told := strings.Contains(ll, `!"llvm.loop.vectorize.width", i32 `+width+"}"); told != (got != "") {
			t.Errorf("%s rounds of %s: LLVM is told %t", k.n, k.elem, told)
		}
		if told := strings.Contains(ll, `!"llvm.loop.vectorize.predicate.enable", i1 true}`); told != masked {
			t.Errorf("%s rounds of %s: LLVM is told of masks: %t", k.n, k.elem, told)
		}
		if told := strings.Contains(ll, `!"llvm.loop.unroll.disable"`); told != (got != "" && (k.n == "7" || k.n == "15")) {
			t.Errorf("%s rounds of %s: LLVM is told to leave the loop: %t", k.n, k.elem, told)
		}
	}
}

// A sum of few operations is one of masked vectors if it is short and its order free.
func TestHintsOfSums(t *testing.T) {
	m := *target.Host()
	m.Vector = 64
	for _, k := range []struct {
		n, flags string
		want     bool
	}{{"197", "fastmath<reassoc>", true}, {"197", "", false}, {"192", "fastmath<reassoc>", false}, {"1000", "fastmath<reassoc>", false}} {
		g := read(t, strings.NewReplacer("N", k.n, "FLAGS", k.flags).Replace(`func.func @f(%x: memref<Nxf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant N : index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
    %e = memref.load %x[%i] : memref<Nxf32>
    %q = arith.addf %a, %e FLAGS : f32
    scf.yield %q : f32
  }
  return %s : f32
}
`))
		p, err := pass.Parse("loop-hints", all())
		if err != nil {
			t.Fatal(err)
		}
		if g, err = (&pass.Manager{Target: &m, VerifyEach: true}).Run(t.Context(), g, p); err != nil {
			t.Fatal(err)
		}
		if got := text.String(g, text.PrintOptions{}); strings.Contains(got, "irc.masked") != k.want {
			t.Errorf("%s rounds %s: masks are to be %t:\n%s", k.n, k.flags, k.want, got)
		}
	}
}

// A hint that makes no sense is none.
func TestHintsOfUsers(t *testing.T) {
	for hint, want := range map[string]bool{"4 : i64": true, "4 : i32": true, "0 : i64": false, "3 : i64": false, "1000000000000 : i64": false, "-4 : i64": false, `"four"`: false, "4.0 : f64": false} {
		g := read(t, strings.Replace(strings.NewReplacer("N", "32", "T", "f64").Replace(expLoop), "\n  }\n  return", "\n  } {irc.lanes = "+hint+"}\n  return", 1))
		ll, err := llvm.Text(g, llvm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(ll, "llvm.loop.vectorize.width"); got != want {
			t.Errorf("irc.lanes = %s: LLVM is told %t", hint, got)
		}
	}
}

// What rounds access apart is shuffled, and masked only where that saves many rounds.
func TestHintsOfAccessesApart(t *testing.T) {
	m := *target.Host()
	m.Vector = 64
	for n, want := range map[string]string{"27": "8", "30": "8 masked"} {
		apart := strings.NewReplacer("N", n, "T", "f64").Replace(strings.ReplaceAll(expLoop, "%x[%i]", "%x[%j]"))
		apart = strings.Replace(apart, "    %a = ", "    %j = arith.addi %i, %i : index\n    %a = ", 1)
		p, err := pass.Parse("lower-math,loop-hints", all())
		if err != nil {
			t.Fatal(err)
		}
		g, err := (&pass.Manager{Target: &m, VerifyEach: true}).Run(t.Context(), read(t, apart), p)
		if err != nil {
			t.Fatal(err)
		}
		got := text.String(g, text.PrintOptions{})
		width, masked, _ := strings.Cut(want, " ")
		if !strings.Contains(got, "irc.lanes = "+width) || strings.Contains(got, "irc.masked") != (masked != "") {
			t.Errorf("%s rounds whose elements lie apart are to have %s lanes:\n%s", n, want, got)
		}
	}
}

// Of rows that are neighbours in memory LLVM is to make vectors one by one, not of several rows.
func TestHintsOfRows(t *testing.T) {
	for _, c := range []struct {
		access     string
		rows, each int
		want       bool
	}{
		{"%x[%i, %j]", 17, 17, true}, {"%x[%j, %i]", 17, 17, false}, {"%x[%c0, %j]", 17, 17, false},
		{"%x[%i, %j]", 17, 7, false}, {"%x[%i, %j]", 5, 7, true}, {"%x[%i, %j]", 5, 3, false},
	} {
		g := read(t, `func.func @f(%x: memref<40x40xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant `+fmt.Sprint(c.rows)+` : index
  %m = arith.constant `+fmt.Sprint(c.each)+` : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %r = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> (f64) {
      %e = memref.load `+c.access+` : memref<40x40xf64>
      %q = arith.addf %b, %e fastmath<reassoc> : f64
      scf.yield %q : f64
    }
    scf.yield %r : f64
  }
  return %s : f64
}
`)
		p, err := pass.Parse("loop-hints", all())
		if err != nil {
			t.Fatal(err)
		}
		g, err = (&pass.Manager{Target: target.Host(), VerifyEach: true}).Run(t.Context(), g, p)
		if err != nil {
			t.Fatal(err)
		}
		if got := text.String(g, text.PrintOptions{}); strings.Contains(got, "irc.lanes = 1") != c.want {
			t.Errorf("%s of %d rows of %d: told to leave rows alone is to be %t:\n%s", c.access, c.rows, c.each, c.want, got)
		}
	}
}
