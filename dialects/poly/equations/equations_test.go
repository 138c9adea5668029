package equations_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/built"
)

var update = flag.Bool("update", false, "write what is reported as what is expected")

// Each wrong program has one diagnostic, which says what is, where, and what to do.
func TestWrong(t *testing.T) {
	files, err := filepath.Glob("testdata/wrong/*.eq")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d wrong programs: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".eq"), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, list := equations.Read(built.Context(), diag.NewSource(filepath.Base(file), string(src)))
			if len(list) != 1 {
				t.Errorf("%d diagnostics", len(list))
			}
			var got strings.Builder
			for _, d := range list {
				got.WriteString(d.Error() + "\n")
			}
			want := strings.TrimSuffix(file, ".eq") + ".txt"
			if *update {
				if err := os.WriteFile(want, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			text, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(text) {
				t.Errorf("got\n%s\nwant\n%s", got.String(), text)
			}
		})
	}
}

// Programs compute what they say, by demand.
func TestRight(t *testing.T) {
	for name, c := range map[string]struct{ program, args, want string }{
		"select": {`program p(N) : N >= 1 {
  input w[N] : f64;
  output B[N] : f64;
  B[i] = select(i > 0, w[i-1], 0.0) + select(i < N - 1 and not i == 1, w[i+1], 100.0) : { [i] : 0 <= i < N };
}`, "[4, [1,2,3,4], [0,0,0,0]]", "[4, [1, 2, 3, 4], [2, 101, 6, 103]]"},
		"nested": {`program p(N, K) : N >= 1 and K >= 1 {
  input A[N,K] : f64;
  input x[K] : f64;
  output B[N] : f64;
  B[i] = 2.0 * sum{k : 0 <= k < K} A[i,k] * x[k] + select(i > 0, max{k : 0 <= k < K} A[i-1,k], 0.0) : { [i] : 0 <= i < N };
}`, "[2, 2, [[1,2],[3,4]], [10,100], [0,0]]", "[2, 2, [[1, 2], [3, 4]], [10, 100], [420, 862]]"},
		"floor and mod": {`program p(N) : N >= 2 {
  output B[N] : i64;
  output C[N] : i64;
  B[i] = floor((i - 3) / 2) * 10 + (i - 3) mod 2 : { [i] : 0 <= i < N };
  C[i] = B[floor(i / 2)] + B[(i + 1) mod 2] : { [i] : 0 <= i < N };
}`, "[4, [0,0,0,0], [0,0,0,0]]", "[4, [-19, -10, -9, 0], [-29, -38, -20, -29]]"},
		"gather": {`program p(N) : N >= 1 {
  input Z[N] : i32;
  output B[N] : i64;
  local S[N] : i64;
  S[i] += i64(j) : { [i,j] : 0 <= j <= i < N };
  B[i] = S[Z[i]] : { [i] : 0 <= i < N };
}`, "[3, [2,0,1], [0,0,0]]", "[3, [2, 0, 1], [3, 0, 1]]"},
		"identity": {`program p(N) : N >= 1 {
  input w[N] : f64;
  output B[N] : f64;
  B[i] min= w[j] : { [i,j] : 0 <= j < i < N };
}`, "[3, [2,1,5], [0,0,0]]", "[3, [2, 1, 5], [\"Infinity\", 2, 1]]"},
		"conditions": {`program p(N) : N >= 1 {
  input w[N] : f64;
  output B : i1;
  output C : i1;
  B and= w[j] > 0.0 : { [j] : 0 <= j < N };
  C or= w[j] > 4.0 and w[j] != 6.0 : { [j] : 0 <= j < N };
}`, "[3, [2,1,5], false, false]", "[3, [2, 1, 5], true, true]"},
		"histogram": {`program p(W, D) : W >= 1 and D >= 1 {
  input doc[W] : i32;
  output n[D] : i64;
  n[doc[w]] += 1 : { [w] : 0 <= w < W };
}`, "[6, 3, [0,2,1,2,7,-1], [9,9,9]]", "[6, 3, [0, 2, 1, 2, 7, -1], [1, 1, 2]]"},
		"histogram of pairs": {`program p(W, D, A) : W >= 1 and D >= 1 and A >= 1 {
  input doc[W], v[W] : i32;
  output n[D,A] : i64;
  n[doc[w],v[w]] += i64(w) : { [w] : 0 <= w < W };
}`, "[4, 2, 2, [0,1,0,1], [1,1,1,2], [[9,9],[9,9]]]", "[4, 2, 2, [0, 1, 0, 1], [1, 1, 1, 2], [[0, 2], [0, 1]]]"},
		"greatest by key": {`program p(W, D) : W >= 1 and D >= 1 {
  input doc[W] : i32;
  input x[W] : f64;
  output m[D] : f64;
  m[doc[w]] max= x[w] : { [w] : 0 <= w < W };
}`, "[4, 3, [0,2,0,2], [1,2,3,-4], [9,9,9]]", "[4, 3, [0, 2, 0, 2], [1, 2, 3, -4], [3, \"-Infinity\", 2]]"},
		"affine and computed": {`program p(N, K) : N >= 1 and K >= 1 {
  input Z[N] : i32;
  output C[N,K] : i32;
  C[i,Z[j]] += 1 : { [i,j] : 0 <= j < i < N };
  C[N-1-i,i mod K] += 100 : { [i] : 0 <= i < N };
}`, "[3, 2, [1,0,1], [[0,0],[0,0],[0,0]]]", "[3, 2, [1, 0, 1], [[100, 0], [0, 101], [101, 1]]]"},
		"counts that are used before they grow": {`program p(N, K) : N >= 1 and K >= 1 {
  output Z[N] : i32;
  local C[N,K] : i32;
  C[i,Z[j]] += 1 : { [i,j] : 0 <= j < i < N };
  Z[i] = (3 * C[i,0] + C[i,K-1] + 1) mod 3 : { [i] : 0 <= i < N };
}`, "[5, 3, [0,0,0,0,0]]", "[5, 3, [1, 1, 1, 1, 1]]"},
		"a key that reads what is computed": {`program p(N) : N >= 1 {
  input x[N] : i64;
  output B[N], n[N] : i64;
  B[i] += x[j] : { [i,j] : 0 <= j <= i < N };
  n[B[x[i]] - 1] *= B[i] + 1 : { [i] : 0 <= i < N };
}`, "[3, [1,0,2], [0,0,0], [0,0,0]]", "[3, [1, 0, 2], [1, 1, 3], [4, 1, 4]]"},
	} {
		t.Run(name, func(t *testing.T) {
			g, list := equations.Read(built.Context(), diag.NewSource("p.eq", c.program))
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			if got := built.After(t, g, "p", c.args); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A cycle is shown, element by element: equation 3 of the paper with 4b.
func TestCycle(t *testing.T) {
	src := `program p(N) : N >= 2 {
  input w : f64;
  output B[N] : f64;
  local A[N] : f64;
  A[0] = w;
  B[N-1] += A[j] : { [j] : 0 <= j < N };
  R: B[i] = B[i+1] - A[i+1] : { [i] : 0 <= i < N - 1 };
  F: A[i+1] = 2.0 * B[i] : { [i] : 0 <= i < N - 1 };
}`
	g, list := equations.Read(built.Context(), diag.NewSource("p.eq", src))
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	got := built.After(t, g, "p", "[3, 1, [0,0,0]]")
	want := "the equations go round in a circle: B[0] by R[0] needs B[1] by R[1] needs B[2] by S_B[1] needs A[1] by F[0] needs B[0]"
	if !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Elements that a keyed reduction may accumulate into need all of its instances: one that reads such
// an element closes a circle, whatever its key is.
func TestKeyedCycle(t *testing.T) {
	src := `program p(N) : N >= 2 {
  output n[N] : i64;
  local Z[N] : i64;
  H: n[Z[i]] += 1 : { [i] : 0 <= i < N };
  F: Z[i] = select(i > 0, n[i-1], 0) : { [i] : 0 <= i < N };
}`
	g, list := equations.Read(built.Context(), diag.NewSource("p.eq", src))
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	got := built.After(t, g, "p", "[3, [0,0,0]]")
	want := "the equations go round in a circle: n[0] by H[1] needs Z[1] by F[1] needs n[0]"
	if !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	src = strings.Replace(src, "n[i-1]", "n[N-i]", 1)
	if g, list = equations.Read(built.Context(), diag.NewSource("p.eq", src)); list.Err() != nil {
		t.Fatal(list.Err())
	}
	got = built.After(t, g, "p", "[3, [0,0,0]]")
	want = "the equations go round in a circle: n[0] by H[1] needs Z[1] by F[1] needs n[2] needs H[1]"
	if !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
