package polyhedral_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// What updates each element once begins a reduction: several statements become one where they
// update the same elements, the others have a statement of their own, and what has none keeps the
// identity. A sum over several instances stays an update.
func TestBeginnings(t *testing.T) {
	cases := []struct{ name, equations, want string }{
		{"a recurrence", `X[i] += X[i-1] : { [i] : 1 <= i < N };
  X[i] += w[i-1] : { [i] : 1 <= i < N };`,
			"set { X[0] : N >= 1 }\nset { X[i0] : i0 >= 1 and N >= i0 + 1 and N >= 1 }"},
		{"one starts earlier", `X[i] += X[i-1] : { [i] : 1 <= i < N };
  X[i] += w[i] : { [i] : 0 <= i < N };`,
			"set { X[i0] : i0 >= 1 and N >= i0 + 1 and N >= 1 }\nset { X[0] : N >= 1 }"},
		{"indices that differ", `X[i] += X[i-1] : { [i] : 1 <= i < N };
  X[j+1] += 3.0 * w[j] : { [j] : 0 <= j < N - 1 };`,
			"set { X[0] : N >= 1 }\nset { X[i0] : i0 >= 1 and N >= i0 + 1 and N >= 1 }"},
		{"what is left is a sum", `X[i] += X[i-1] : { [i] : 1 <= i < N };
  X[i] += w[j] : { [i,j] : 0 <= i < N and 0 <= j < 2 and j < N };`,
			"set { X[i0] : i0 >= 1 and N >= i0 + 1 and N >= 1 }\nadd { X[i0] : i0 >= 0 and N >= i0 + 1 and N >= 1 }\nset { X[0] : N >= 1 }"},
		{"the maximum of two", `X[i] += 2.0 * w[i] : { [i] : 0 <= i < N };
  Y[i] max= X[i] : { [i] : 0 <= i < N };
  Y[i] max= w[N-1-i] : { [i] : 0 <= i < N };`,
			"set { X[i0] : i0 >= 0 and N >= i0 + 1 and N >= 1 }\nset { Y[i0] : i0 >= 0 and N >= i0 + 1 and N >= 1 }"},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			local := "local"
			if strings.Contains(x.equations, "Y[") {
				local = "output Y[N] : f64;\n  local"
			} else {
				x.equations += "\n  R: Z[i] = X[i] : { [i] : 0 <= i < N };"
				local = "output Z[N] : f64;\n  local"
			}
			src := "program p(N) : N >= 1 {\n  input w[N] : f64;\n  " + local + " X[N] : f64;\n  " + x.equations + "\n}"
			g := built.OfEquations(t, src)
			const args, zeros = "[5, [1, 2, 4, 8, 16], ", "[0, 0, 0, 0, 0]]"
			want := built.After(t, g, "p", args+zeros)
			for _, pipeline := range []string{"poly-schedule", "poly-schedule,poly-contract,poly-codegen"} {
				built.Gives(t, built.Through(t, g, pipeline), "p", args+zeros, want, "%s", pipeline)
			}
			if got := ofX(t, built.Through(t, g, "poly-schedule")); got != x.want {
				t.Errorf("got  %s\nwant %s", got, x.want)
			}
		})
	}
}

// ofX lists the statements that define X and Y: what they do, and to which elements.
func ofX(t *testing.T, g *ir.Graph) string {
	var out []string
	err := pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error {
		for _, sys := range poly.Systems(body) {
			for _, st := range sys.Statements {
				if st.Target.Name == "Z" {
					continue
				}
				w, err := st.Write.IntersectDomain(st.Domain)
				if err != nil {
					return err
				}
				e, err := w.Range().Coalesce()
				if err != nil {
					return err
				}
				out = append(out, string(st.Operator)+" "+e.String())
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.Join(out, "\n"), "[N] -> ", "")
}

// What copies elements is not needed, and copies of copies neither: here each reads w itself.
func TestCopies(t *testing.T) {
	g := built.OfEquations(t, `program p(N) : N >= 1 {
  input w[N] : f64;
  output Z[N, N] : f64;
  local X[N, N], Y[N, N] : f64;
  X[i,j] += w[i] : { [i,j] : 0 <= i < N and 0 <= j < N };
  Y[i,j] = X[j,i] : { [i,j] : 0 <= i < N and 0 <= j < N };
  Z[i,j] = 2.0 * Y[i,j] : { [i,j] : 0 <= i < N and 0 <= j < N };
}`)
	const args, want = "[2, [3, 5], [[0, 0], [0, 0]]]", "[2, [3, 5], [[6, 10], [6, 10]]]"
	g = built.Through(t, g, "poly-schedule")
	built.Gives(t, g, "p", args, want, "in order")
	s := shown(g)
	if strings.Contains(s, "S_X") || strings.Contains(s, "S_Y") || !strings.Contains(s, "S_Z[i, j] -> w[j]") {
		t.Errorf("the copies are there:\n%s", s)
	}
}
