package depend

import "testing"

// nests are pairs of accesses of two statements in a nest of depth 3 with symbolic
// bounds.
var nests = []struct{ name, a, b string }{
	{"distance", "S[i, j, k] -> A[i, j, k]", "T[i, j, k] -> A[i - 1, j + 1, k]"},
	{"reduction", "S[i, j, k] -> A[i, j]", "T[i, j, k] -> A[i, j]"},
	{"independent", "S[i, j, k] -> A[2i, j, k]", "T[i, j, k] -> A[2i + 1, j, k]"},
	{"coupled", "S[i, j, k] -> A[i + j, k]", "T[i, j, k] -> A[i - j + k, j]"},
	{"linear", "S[i, j, k] -> A[4i + 6j + 2k]", "T[i, j, k] -> A[2i + 3j - 1]"},
	{"transposed", "S[i, j, k] -> A[i, j, k]", "T[i, j, k] -> A[k, i, j]"},
}

// bounds of the nest: a matrix product's, and triangular ones.
var bounds = []struct{ name, text string }{
	{"box", "0 <= i < N and 0 <= j < M and 0 <= k < K"},
	{"triangle", "0 <= i < N and i <= j < N and 0 <= k < j"},
}

func BenchmarkTest(b *testing.B) {
	for _, bound := range bounds {
		for _, n := range nests {
			b.Run(bound.name+"/"+n.name, func(b *testing.B) {
				t, x, y := prepared(b, bound.text, n.a, n.b)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := t.Test(x, y, 3); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(t.Exact)/float64(b.N), "exact/op")
			})
		}
	}
}

func prepared(tb testing.TB, bound, a, b string) (*Tester, *Access, *Access) {
	t := NewTester("N", "M", "K")
	var acc [2]*Access
	for i, text := range []string{a, b} {
		const params = "[N, M, K] -> "
		dom := params + "{ " + text[:10] + " : " + bound + " }"
		var err error
		if acc[i], err = t.Access(mustSet(tb, dom), mustMap(tb, params+"{ "+text+" }")); err != nil {
			tb.Fatal(err)
		}
	}
	return t, acc[0], acc[1]
}

// BenchmarkFlow analyses a Gauss-Seidel sweep.
func BenchmarkFlow(b *testing.B) {
	a := Accesses{
		Sink:     mustMap(b, "[T, N] -> { S[t, i, j] -> A[x, y] : 0 <= t < T and 1 <= i, j <= N and i - 1 <= x <= i + 1 and j - 1 <= y <= j + 1 }"),
		Must:     mustMap(b, "[T, N] -> { S[t, i, j] -> A[i, j] : 0 <= t < T and 1 <= i, j <= N }"),
		Schedule: mustMap(b, "{ S[t, i, j] -> [t, i, j] }"),
	}
	for b.Loop() {
		if _, err := a.Flow(); err != nil {
			b.Fatal(err)
		}
	}
}
