package poly_test

import (
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

func print(g *ir.Graph, generic bool) string {
	return text.String(g, text.PrintOptions{Generic: generic})
}

// What is printed reads as the same, in both forms, folded and verbatim.
func TestText(t *testing.T) {
	for _, file := range []string{"prefix", "keyed", "partial"} {
		src, err := os.ReadFile("testdata/" + file + ".mlir")
		if err != nil {
			t.Fatal(err)
		}
		for _, verbatim := range []bool{false, true} {
			opts := text.Options{Verbatim: verbatim}
			g := built.Parse(t, string(src), opts)
			for _, generic := range []bool{false, true} {
				once := print(g, generic)
				if again := print(built.Parse(t, once, opts), generic); again != once {
					t.Errorf("%s, verbatim %v, generic %v: printed\n%s\nread and printed\n%s", file, verbatim, generic, once, again)
				}
			}
		}
	}
}

// B[1] = w[0] + exp(-B[0]) w[1].
func TestEquationsByDemand(t *testing.T) {
	src, err := os.ReadFile("testdata/prefix.mlir")
	if err != nil {
		t.Fatal(err)
	}
	g := built.Parse(t, string(src), text.Options{})
	if got, want := built.Run(t, g, "main", "[]"), "[0.5, 1.1065306597126334]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Y[i] counts, with Y, what came before it by the same key; backwards, the instances that it comes
// after and those that come after it go round in a circle.
func TestPartialSums(t *testing.T) {
	src, err := os.ReadFile("testdata/partial.mlir")
	if err != nil {
		t.Fatal(err)
	}
	const args = "[8, [1,2,1,1,2,3,1,2], [0,0,0,0,0,0,0,0]]"
	for _, c := range []struct{ before, want string }{
		{"j < i", "[8, [1, 2, 1, 1, 2, 3, 1, 2], [0, 0, 1, 3, 1, 0, 7, 3]]"},
		{"j > i", "[8, [1, 2, 1, 1, 2, 3, 1, 2], [7, 3, 3, 1, 1, 0, 0, 0]]"},
		{"j <= i", "the equations go round in a circle"},
	} {
		g := built.Parse(t, strings.Replace(string(src), "j < i", c.before, 1), text.Options{})
		if got := built.After(t, g, "main", args); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.before, got, c.want)
		}
	}
}

// Who reads partial sums says of all that makes them what it comes after.
func TestWrongPartialSums(t *testing.T) {
	src, err := os.ReadFile("testdata/partial.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		edits []string
		want  string
	}{
		{[]string{"T[j] -> c[k] : 0 <= k < 4", "T[j] -> c[0]", " at %at : i64", " : i64"}, "says nothing of T, or that is not keyed"},
		{[]string{"S[i] -> K[i] }\"", "S[i] -> K[i] }\", %c at \"{ S[i] -> c[0] }\"", "%k: i64)", "%k: i64, %y0: i64)"}, "by a relation, which are complete"},
		{[]string{"after \"[N] -> { S[i] ->", "after \"[N] -> { R[i] ->"}, "S of 1 integers is not related to"},
	} {
		got := ""
		g, errs := text.Parse(built.Context(), diag.NewSource("t.mlir", strings.NewReplacer(c.edits...).Replace(string(src))), text.Options{})
		if err := errs.Err(); err != nil {
			got = err.Error()
		} else {
			got = built.After(t, g, "main", "[8, [1,2,1,1,2,3,1,2], [0,0,0,0,0,0,0,0]]")
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: got %s, want %s", c.edits, got, c.want)
		}
	}
}

// What is written by hand and means nothing ends with an error.
func TestWrongSystems(t *testing.T) {
	const one = `poly.statement "S" over "{ S[i] : 0 <= i < 3 }" set %Ba at "{ S[i] -> B[i] }" do (%i: index) {
    %x = arith.constant 1.0 : f64
    poly.yield %x : f64
  }`
	for name, c := range map[string]struct{ body, want string }{
		"outside": {`%Ba = poly.bind %B as output "B" : memref<?xf64> ` + one, "poly.statement outside of a system"},
		"without storage": {`poly.system () {
  %Ba = poly.bind %B as output "B" : memref<?xf64>
  %A = poly.local "A" in "{ A[i] : 0 <= i < 3 }" stored "{ A[i] -> [0, 0] }" : f64
  poly.statement "T" over "{ T[i] : 0 <= i < 3 }" set %A at "{ T[i] -> A[i] }" do (%i: index) {
    %x = arith.constant 2.0 : f64
    poly.yield %x : f64
  }
  poly.statement "S" over "{ S[i] : 0 <= i < 3 }" set %Ba at "{ S[i] -> B[i] }" reading %A at "{ S[i] -> A[i] }" do (%i: index, %x: f64) {
    poly.yield %x : f64
  }
}`, "2.0"},
	} {
		src := "func.func @main() -> f64 {\n %n = arith.constant 3 : index\n %c = arith.constant 2 : index\n %B = memref.alloca(%n) : memref<?xf64>\n" +
			c.body + "\n %r = memref.load %B[%c] : memref<?xf64>\n return %r : f64\n}"
		if got := built.Run(t, built.Parse(t, src, text.Options{}), "main", "[]"); !strings.Contains(got, strings.TrimSuffix(c.want, ".0")) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What the body of a statement yields fits its target, and only a reduction has computed indices.
func TestWrongKeys(t *testing.T) {
	const right = `func.func @f(%b: memref<?x?xf64>) {
  poly.system () {
    %B = poly.bind %b as output "B" in "{ B[i, j] : 0 <= i < 3 and 0 <= j < 3 }" : memref<?x?xf64>
    poly.statement "S" over "{ S[i] : 0 <= i < 3 }" add %B at "{ S[i] -> B[i, j] : 0 <= j < 3 }" do (%i: index) {
      %x = arith.constant 1.0 : f64
      %k = arith.constant 1 : i64
      poly.yield %x at %i, %i : f64
    }
  }
  return
}`
	built.Parse(t, right, text.Options{})
	for _, c := range []struct{ old, new, want string }{
		{" add ", " set ", "sets an element at indices that are computed, which only a reduction may do"},
		{"%x at %i, %i", "%x at %i", "yields 1 indices for an array of 2 dimensions"},
		{"%x at %i, %i", "%x at %i, %i, %i", "yields 3 indices for an array of 2 dimensions"},
		{"%x at %i, %i : f64", "%x at %i, %k : f64", "index"},
		{"poly.yield %x at %i, %i : f64", `"poly.yield"(%x, %i, %k) : (f64, index, i64) -> ()`, "yields an index of type i64, which is to be index"},
		{"poly.yield %x at %i, %i : f64", "poly.yield %k at %i, %i : i64", "yields i64 for an array of f64"},
		{"poly.yield %x at %i, %i : f64", "poly.yield %x at : f64", "expected"},
		{"poly.yield %x at %i, %i : f64", "poly.yield", "has a body that ends with poly.yield of a value"},
	} {
		_, errs := text.Parse(built.Context(), diag.NewSource("t.mlir", strings.Replace(right, c.old, c.new, 1)), text.Options{})
		if err := errs.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}
