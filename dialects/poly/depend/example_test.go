package depend_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

func set(text string) presburger.Set {
	s, err := presburger.ParseSet(text)
	if err != nil {
		panic(err)
	}
	return s
}

func relation(text string) presburger.Map {
	m, err := presburger.ParseMap(text)
	if err != nil {
		panic(err)
	}
	return m
}

// A sweep over a grid: for i, for j: A[i, j] = f(A[i - 1, j], A[i, j - 1]).
func ExampleTester() {
	t := depend.NewTester("N")
	domain := set("[N] -> { S[i, j] : 1 <= i < N and 1 <= j < N }")
	access := func(text string) *depend.Access {
		a, err := t.Access(domain, relation(text))
		if err != nil {
			panic(err)
		}
		return a
	}
	write := access("{ S[i, j] -> A[i, j] }")
	for _, read := range []*depend.Access{access("{ S[i, j] -> A[i - 1, j] }"), access("{ S[i, j] -> A[i, j - 1] }")} {
		d, err := t.Test(write, read, 2)
		if err != nil {
			panic(err)
		}
		fmt.Println(d, "carried by", d.Levels(), "outer parallel:", d.Parallel(0), "inner parallel:", d.Parallel(1))
	}
	// Output:
	// (1, 0) carried by [0] outer parallel: false inner parallel: true
	// (0, 1) carried by [1] outer parallel: true inner parallel: false
}

// The distance may be a function of sizes, and a direction have several signs.
func ExampleTester_Of() {
	t := depend.NewTester("N")
	for _, text := range []string{
		"[N] -> { S[i] -> T[i + N] : 0 <= i < N }",
		"[N] -> { S[i, j] -> T[i + 1, k] : 0 <= i < N and 0 <= j, k < i }",
		"[N] -> { S[i, j] -> T[k, l] : i + j = k + l and 0 <= i, j, k, l < N }",
	} {
		m := relation(text)
		in, _ := m.Tuples()
		d, err := t.Of(m, in.Len())
		if err != nil {
			panic(err)
		}
		fmt.Println(d)
	}
	// Output:
	// (N)
	// (1, *)
	// (*, *) of (-, +) (0, 0) (+, -)
}

// Which write does each read of A see? for i: { A[i] = ...; if (...) A[0] = ...; use A[i] }
func ExampleAccesses_Flow() {
	f, err := depend.Accesses{
		Sink:     relation("[N] -> { U[i] -> A[i] : 0 <= i < N }"),
		Must:     relation("[N] -> { W[i] -> A[i] : 0 <= i < N }"),
		May:      relation("[N] -> { C[i] -> A[0] : 0 <= i < N }"),
		Schedule: relation("{ W[i] -> [i, 0]; C[i] -> [i, 1]; U[i] -> [i, 2] }"),
	}.Flow()
	if err != nil {
		panic(err)
	}
	fmt.Println("must:", f.Must)
	fmt.Println("may: ", f.May)
	fmt.Println("none:", f.MayNoSource)
	// Output:
	// must: [N] -> { W[i] -> [U[i] -> A[i]] : i >= 1 and N >= i + 1 }
	// may:  [N] -> { C[i] -> [U[0] -> A[0]] : i = 0 and N >= 1; W[i] -> [U[i] -> A[i]] : i >= 0 and N >= i + 1 }
	// none: [N] -> { }
}

// A sum is a reduction: its updates do not wait for each other.
func ExampleProgram() {
	p := depend.Program{
		Writes:     relation("{ I[] -> s[] }"),
		Reads:      relation("{ R[] -> s[] }"),
		Reductions: []depend.Reduction{{Operator: "+", Updates: relation("[N] -> { S[i] -> s[] : 0 <= i < N }")}},
		Schedule:   relation("{ I[] -> [0, 0]; S[i] -> [1, i]; R[] -> [2, 0] }"),
	}
	d, err := p.Memory()
	if err != nil {
		panic(err)
	}
	fmt.Println("output:   ", d.WAW)
	fmt.Println("reduction:", d.Reduction)
	// Output:
	// output:    [N] -> { I[] -> S[i] : i >= 0 and N >= i + 1 }
	// reduction: [N] -> { S[i] -> S[i'] : i >= 0 and N >= i + 1 and i' >= 0 and N >= i' + 1 and i' >= i + 1 }
}
