package presburger_test

import (
	"fmt"
	"log"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// must keeps the examples short.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func ExampleParseSet() {
	s, err := presburger.ParseSet("[N] -> { S[i, j] : 0 <= i < N and 2j = i }")
	fmt.Println(s, err)
	_, err = presburger.ParseSet("{ [i] : i * i < 3 }")
	fmt.Println(err)
	// Output:
	// [N] -> { S[i, j] : 2j = i and i >= 0 and N >= i + 1 } <nil>
	// 1:11: a product of two expressions with variables is not affine: one side has to be a number
	//   { [i] : i * i < 3 }
	//             ^
}

func ExampleSet_Subtract() {
	all := must(presburger.ParseSet("{ [i] : 0 <= i <= 9 }"))
	even := must(presburger.ParseSet("{ [i] : i mod 2 = 0 }"))
	odd := must(all.Subtract(even))
	fmt.Println(odd)
	fmt.Println(must(odd.IsSubset(all)), must(odd.IsDisjoint(even)))
	// Output:
	// { [i] : (i) mod 2 = 1 and 0 <= i <= 9 }
	// true true
}

func ExampleMap_Compose() {
	double := must(presburger.ParseMap("{ [i] -> [2i] }"))
	next := must(presburger.ParseMap("{ [i] -> [i + 1] }"))
	m := must(double.Compose(next)) // first next, then double
	fmt.Println(m)
	fmt.Println(must(m.IsInjective()), m.Deltas())
	// Output:
	// { [i] -> [2i + 2] }
	// true { [i0] }
}

func ExampleSet_LexMin() {
	s := must(presburger.ParseSet("[N] -> { [i, j] : N <= 2i and i <= j and j mod 3 = 0 }"))
	fmt.Println(must(s.LexMinPwMultiAff()))
	// Output:
	// [N] -> { [(floor((N + 1)/2)), (3*floor((N + 5)/6))] }
}

func ExampleSet_Points() {
	s := must(presburger.ParseSet("[N] -> { [i, j] : 0 <= i < N and 0 <= j < i }"))
	points := must(s.FixParam("N", presburger.NewInt(3)).Points())
	for p := range points {
		fmt.Println(p)
	}
	// Output:
	// [1 0]
	// [2 0]
	// [2 1]
}

func ExampleSet_Card() {
	s := must(presburger.ParseSet("[N, K] -> { [i, j] : 0 <= i < N and 0 <= 2j < K }"))
	n := must(s.Card())
	fmt.Println(n)
	fmt.Println(must(n.At(map[string]presburger.Int{"N": presburger.NewInt(10), "K": presburger.NewInt(7)})))
	fmt.Println(must(n.Complexity()))
	// Output:
	// [N, K] -> { N * floor((K + 1)/2) : N >= 1 and K >= 1 }
	// 40
	// N*K
}

func ExamplePwAff() {
	f := must(presburger.ParsePwAff("[N] -> { [i] -> [min(i, N - i)] : 0 <= i <= N }"))
	g := must(presburger.ParsePwAff("{ [i] -> [3] }"))
	fmt.Println(must(f.GeSet(g)))
	v, ok, err := f.Eval([]presburger.Int{presburger.NewInt(7)}, map[string]presburger.Int{"N": presburger.NewInt(9)})
	fmt.Println(v, ok, err)
	// Output:
	// [N] -> { [i] : i >= 3 and N >= 2i; [i] : N >= i + 3 and 2i >= N + 1 }
	// 2 true <nil>
}

func ExamplePwMultiAff_Pullback() {
	tile := must(presburger.ParsePwMultiAff("{ [i] -> T[floor(i/32), i mod 32] }"))
	shift := must(presburger.ParsePwMultiAff("{ [i] -> [i + 64] }"))
	fmt.Println(must(tile.Pullback(shift)))
	// Output:
	// { [i] -> T[(floor((i)/32) + 2), (i - 32*floor((i)/32))] }
}

func ExampleMap_AsPwMultiAff() {
	m := must(presburger.ParseMap("{ S[i] -> [t, k] : i = 4t + k and 0 <= k <= 3 }"))
	fmt.Println(must(m.AsPwMultiAff()))
	// Output:
	// { S[i] -> [(floor((i)/4)), (i - 4*floor((i)/4))] }
}

func ExampleSet_MinVal() {
	s := must(presburger.ParseSet("{ [i, j] : 7 <= 2i + 4j and i <= 3 and j <= 9 }"))
	f := must(presburger.ParseAff("{ [i, j] -> [i + 3j] }"))
	fmt.Println(must(s.MinVal(f)), must(s.LPMin(f)), must(s.MaxVal(f)))
	fmt.Println(must(s.MinVal(f)).At.Coords)
	// Output:
	// 5 9/2 30
	// [2 1]
}

func ExampleSet_AffineHull() {
	s := must(presburger.ParseSet("{ [i, j] : j = 2i and i mod 3 = 1; [7, 14] }"))
	fmt.Println(must(s.AffineHull()))
	fmt.Println(must(s.LatticeHull()))
	t := must(presburger.ParseSet("{ [i] : 0 <= i <= 2; [i] : 7 <= i <= 9 }"))
	fmt.Println(must(t.SimpleHull()))
	// Output:
	// { [i, j] : j = 2i }
	// { [i, j] : (i) mod 3 = 1 and j = 2i }
	// { [i] : 0 <= i <= 9 }
}

func ExampleSet_Vertices() {
	s := must(presburger.ParseSet("[N] -> { [i, j] : 0 <= j <= i and 2i <= N }"))
	for _, v := range must(s.Vertices()) {
		fmt.Println(v.Expr, "where", v.Domain)
	}
	// Output:
	// [N] -> { [(0), (0)] } where [N] -> { : N >= 0 }
	// [N] -> { [(N)/2, (0)] } where [N] -> { : N >= 0 }
	// [N] -> { [(N)/2, (N)/2] } where [N] -> { : N >= 0 }
}

func ExampleMap_Kernel() {
	// What a sum over j of A[j] reads stays the same along i.
	read := must(presburger.ParseMap("[N] -> { S[i, j] -> A[j] : 0 <= i < N and 0 <= j <= i }"))
	fmt.Println(must(read.Kernel()))
	// Output:
	// [[1 0]]
}
