package calc

import (
	"fmt"
	"strings"
	"testing"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// lines are evaluated in turn by one calculator.
var lines = []struct{ line, want string }{
	{"A := [N] -> { [i] : 0 <= i < N }", "<nil>"},
	{"", "<nil>"},
	{"# a comment", "<nil>"},
	{"intersect(A, { [i] : i >= 3 }) # and one behind", "[N] -> { [i] : i >= 3 and N >= i + 1 }"},
	{"A * { [i] : i >= 3 } ;", "[N] -> { [i] : i >= 3 and N >= i + 1 }"},
	{"(A + { [5] }) - A", "[N] -> { [i] : i = 5 and N <= 5 }"},
	{"complement({ [i] : i >= 0 })", "{ [i] : i + 1 <= 0 }"},
	{"product({ [1] }, { S[2] })", "{ [[1] -> S[2]] }"},
	{"flat_product({ [1] }, { S[2] })", "{ [1, 2] }"},
	{"gist({ [i] : 0 <= i <= 9 }, { [i] : i >= 0 })", "{ [i] : i <= 9 }"},
	{"coalesce({ [i] : 0 <= i <= 4; [i] : 5 <= i <= 9 })", "{ [i] : 0 <= i <= 9 }"},
	{"remove_redundancies({ [i] : i >= 0 and i >= -1 })", "{ [i] : i >= 0 }"},
	{"detect_equalities({ [i, j] : i <= j <= i })", "{ [i, j] : j = i }"},
	{"make_disjoint({ [i] : i >= 0; [i] : i <= 0 })", "{ [i] : i >= 0; [i] : i + 1 <= 0 }"},
	{"lexmin(A)", "[N] -> { [i] : i = 0 and N >= 1 }"},
	{"lexmax(A)", "[N] -> { [i] : i = N - 1 and N >= 1 }"},
	{"domain({ [i] -> [j] : i = 2j })", "{ [i] : (i) mod 2 = 0 }"},
	{"range({ [i] -> [2i] })", "{ [i0] : (i0) mod 2 = 0 }"},
	{"inverse({ A[i] -> B[i + 1] })", "{ B[i0] -> A[i] : i = i0 - 1 }"},
	{"deltas({ [i] -> [i + 3] })", "{ [3] }"},
	{"unwrap(wrap({ A[i] -> B[] }))", "{ A[i] -> B[] }"},
	{"identity({ [i] : i > 3 })", "{ [i] -> [i] : i >= 4 }"},
	{"is_subset(lex_lt({ [i] }, { [i] }), lex_le({ [i] }, { [i] }))", "true"},
	{"compose({ [i] -> [2i] }, { [i] -> [i + 1] })", "{ [i] -> [2i + 2] }"},
	{"apply({ [3] }, { [i] -> [2i] })", "{ [6] }"},
	{"card(A)", "[N] -> { N : N >= 1 }"},
	{"complexity([N, K] -> { [i, j] : 0 <= i < N and 0 <= j < K })", "N*K"},
	{"complexity({ [i] -> [j] : 0 <= i, j < 3 })", "1"},
	{"is_empty({ [i] : 2i = 1 })", "true"},
	{"is_equal({ [i] : i > 0 }, { [i] : i >= 1 })", "true"},
	{"is_disjoint({ [1] }, { [2] })", "true"},
	{"is_bounded(A)", "true"},
	{"is_single_valued({ [i] -> [2i] })", "true"},
	{"is_injective({ [i] -> [floor(i/2)] })", "false"},
	{"is_bijective({ [i] -> [i + 1] })", "true"},
	{"project({ [i, j] : i = 2j }, 1, 1)", "{ [i] : (i) mod 2 = 0 }"},
	{"fix(A, N, 3)", "[N] -> { [i] : N = 3 and 0 <= i <= 2 }"},
	{"sample({ [i] : i > 7 and i < 9 })", "[8]"},
	{"sample({ [i] : false })", "none: the set is empty"},
	{"points({ [i, j] : 0 <= i, j <= 1 })", "[0, 0] [0, 1] [1, 0] [1, 1]"},
	{"generators([N] -> { [i] : 0 <= i < N and i mod 2 = 0 })", "vertices [1 0], rays [1 0] [1 1]"},
	{"coefficients([N] -> { [i] : 0 <= i < N })", "{ [c, N, i] : c + N >= 0 and N + i >= 0 and N >= 0 }"},
	{"schedule({ S[i] : 0 <= i < 9; T[] }, { S[i] -> T[]; S[8] -> S[8] }, { })", "domain: \"{ S[i] : 0 <= i <= 8; T[] }\"\nchild:\n  sequence:\n  - filter: \"{ S[i] }\"\n    child:\n      schedule: \"[{ S[i] -> [(i)] }]\"\n      coincident: [ 1 ]\n  - filter: \"{ T[] }\""},
	{"codegen(schedule([N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i < N }, { S[i] -> T[i] }, { S[i] -> T[i] }))", "for (int c0 = 0; c0 <= N - 1; c0 += 1) {\n  S(c0);\n  T(c0);\n}"},
	{"codegen([N] -> { S[i, j] -> [j, i] : 0 <= i < N and 0 <= j <= i })", "for (int c0 = 0; c0 <= N - 1; c0 += 1)\n  for (int c1 = c0; c1 <= N - 1; c1 += 1)\n    S(c1, c0);"},
	{"codegen_using([N] -> { S[i] -> [i] : 0 <= i < N }, [N] -> { : N <= 2 }, { [i] -> unroll[0] })", "if (N >= 1)\n  S(0);\nif (N == 2)\n  S(1);"},
	{"codegen_using({ S[i] -> [i] : 0 <= i < 3 }, { : }, { })", "for (int c0 = 0; c0 <= 2; c0 += 1)\n  S(c0);"},
	{"-7", "-7"},

	{"f := { [i] -> [floor(i/2)] : i >= 0 }", "<nil>"},
	{"h := pw_aff({ [i] -> [(i + 1)/2] })", "<nil>"},
	{"pw_aff(f)", "{ [i] -> [(floor((i)/2))] : i >= 0 }"},
	{"pw_aff({ [i] -> [(i)] : i > 0; [i] -> [2] : i < 3 })", "{ [i] -> [(i + 2)] : 1 <= i <= 2; [i] -> [(i)] : i >= 3; [i] -> [(2)] : i <= 0 }"},
	{"pw_multi_aff([N] -> { T[N, 2N] })", "[N] -> { T[(N), (2N)] }"},
	{"as_map(h)", "{ [i] -> [i1] : 2i1 = i + 1 }"},
	{"as_map(pw_aff([N] -> { [N] }))", "[N] -> { [N] }"},
	{"h + f", "{ [i] -> [(i + 2*floor((i)/2) + 1)/2] : i >= 0 }"},
	{"h - 1", "{ [i] -> [(i - 1)/2] }"},
	{"h * 4", "{ [i] -> [(2i + 2)] }"},
	{"add({ [i] -> [i, 1] }, { [i] -> [1, i] })", "{ [i] -> [(i + 1), (i + 1)] }"},
	{"sub(f, f)", "{ [i] -> [(0)] : i >= 0 }"},
	{"mul(h, -2)", "{ [i] -> [(-i - 1)] }"},
	{"neg(h)", "{ [i] -> [(-i - 1)/2] }"},
	{"floor(h)", "{ [i] -> [(floor((i + 1)/2))] }"},
	{"ceil(h)", "{ [i] -> [(i - floor((i + 1)/2) + 1)] }"},
	{"scale(h, 6)", "{ [i] -> [(3i + 3)] }"},
	{"floordiv(f, 3)", "{ [i] -> [(floor((i)/6))] : i >= 0 }"},
	{"mod({ [i] -> [i] }, 4)", "{ [i] -> [(i - 4*floor((i)/4))] }"},
	{"min({ [i] -> [i] }, 3)", "{ [i] -> [(i)] : i <= 3; [i] -> [(3)] : i >= 4 }"},
	{"max({ [i] -> [i] }, 3)", "{ [i] -> [(i)] : i >= 3; [i] -> [(3)] : i <= 2 }"},
	{"union_add({ [i] -> [i] : i > 0 }, { [i] -> [5] : i < 2 })", "{ [i] -> [(i + 5)] : i = 1; [i] -> [(i)] : i >= 2; [i] -> [(5)] : i <= 0 }"},
	{"union_min({ [i] -> [i] : i > 0 }, { [i] -> [1] : i < 2 })", "{ [i] -> [(i)] : i >= 1; [i] -> [(1)] : i <= 0 }"},
	{"union_max({ [i] -> [i] : i > 0 }, { [i] -> [9] : i < 2 })", "{ [i] -> [(9)] : i <= 1; [i] -> [(i)] : i >= 2 }"},
	{"cond({ [i] -> [i mod 2] }, 1, { [i] -> [i] })", "{ [i] -> [(1)] : (i) mod 2 = 1; [i] -> [(i)] : (i) mod 2 = 0 }"},
	{"le_set(h, 3)", "{ [i] : i <= 5 }"},
	{"lt_set(h, 3)", "{ [i] : i <= 4 }"},
	{"ge_set(h, 3)", "{ [i] : i >= 5 }"},
	{"gt_set(h, 3)", "{ [i] : i >= 6 }"},
	{"eq_set(h, 3)", "{ [i] : i = 5 }"},
	{"ne_set(h, 3)", "{ [i] : i >= 6; [i] : i <= 4 }"},
	{"eval(h, { [4] })", "[5/2]"},
	{"eval(f, { [-4] })", "none: the function is not defined there"},
	{"eval(f, { [i] : false })", "none: the set has no point"},
	{"pullback(h, { [k] -> [2k] })", "{ [k] -> [(2k + 1)/2] }"},
	{"range_product(h, h)", "{ [i] -> [[(i + 1)/2] -> [(i + 1)/2]] }"},
	{"flat_range_product({ [i] -> A[i] }, { [i] -> B[2i] })", "{ [i] -> [(i), (2i)] }"},
	{"intersect_domain(h, { [i] : i > 3 })", "{ [i] -> [(i + 1)/2] : i >= 4 }"},
	{"intersect_domain({ [i] -> [j] }, { [3] })", "{ [i] -> [j] : i = 3 }"},
	{"subtract_domain(h, { [i] : i > 3 })", "{ [i] -> [(i + 1)/2] : i <= 3 }"},
	{"domain(intersect_domain(h, { [i] : i > 3 }))", "{ [i] : i >= 4 }"},
	{"gist(pw_aff(f), { [i] : i >= 0 })", "{ [i] -> [(floor((i)/2))] }"},
	{"coalesce(pw_aff({ [i] -> [i] : i >= 4; [i] -> [3] : i = 3 }))", "{ [i] -> [(i)] : i >= 3 }"},
	{"is_equal(floor(h), { [i] -> [floor((i + 1)/2)] })", "true"},
	{"lexmin_pw_multi_aff({ [i] -> [j] : i <= 3j })", "{ [i] -> [(floor((i + 2)/3))] }"},
	{"lexmax_pw_multi_aff(A)", "[N] -> { [(N - 1)] : N >= 1 }"},
	{"dim_min([N] -> { [i, j] : N <= i and i <= j <= 9 }, 1)", "[N] -> { [(N)] : N <= 9 }"},
	{"dim_max([N] -> { [i, j] : N <= i and i <= j <= 9 }, 0)", "[N] -> { [(9)] : N <= 9 }"},
	{"min({ [i, j] : 7 <= 2i + 4j and i <= 3 and j <= 9 }, { [i, j] -> [i + 3j] })", "5"},
	{"max({ [i] : i >= 0 }, { [i] -> [i] })", "unbounded"},
	{"min({ [i] : 2i = 1 }, { [i] -> [i] })", "empty"},
	{"lp_min({ [i, j] : 2i + 3j >= 1 and i >= 0 and j >= 0 }, { [i, j] -> [i + j] })", "1/3"},
	{"lp_max({ [i, j] : 2i + 3j <= 4 and i >= 0 and j >= 0 }, { [i, j] -> [j] })", "4/3"},

	{"affine_hull({ [i, j] : j = 2i and i mod 3 = 0 })", "{ [i, j] : j = 2i }"},
	{"lattice_hull({ [0]; [6]; [10] })", "{ [i0] : (i0) mod 2 = 0 }"},
	{"simple_hull({ [i] : 0 <= i <= 2; [i] : 7 <= i <= 9 })", "{ [i] : 0 <= i <= 9 }"},
	{"polyhedral_hull({ [0, 0]; [i, 1] : i >= 1 })", "{ [i0, i1] : i0 >= i1 and 0 <= i1 <= 1 }"},
	{"vertices([N] -> { [i] : 0 <= 2i <= N })", "[N] -> { [(0)] : N >= 0 }\n[N] -> { [(N)/2] : N >= 0 }"},
	{"vertices({ [i] })", "none"},
	{"chambers([N] -> { [i] : 0 <= i <= N and i <= 3 })", "[N] -> { : N = 3 }: [(0)], [(N)], [(3)]\n[N] -> { : 0 <= N <= 2 }: [(0)], [(N)]\n[N] -> { : N >= 4 }: [(0)], [(3)]"},
	{"lineality([N] -> { [i, j] : 0 <= i + j <= N })", "{ [1, -1] }"},
	{"lineality({ [i] : i >= 0 })", "{ }"},
	{"kernel({ [i, j] -> A[i mod 4] })", "{ [4, 0], [0, 1] }"},
	{"kernel(pw_aff({ [i, j] -> [(i + j)/2] }))", "{ [1, -1] }"},

	// for i: A[i] = f(A[i - 1])
	{"write := [N] -> { S[i] -> A[i] : 0 <= i < N }", "<nil>"},
	{"read := [N] -> { S[i] -> A[i - 1] : 0 <= i < N }", "<nil>"},
	{"order := { S[i] -> [i] }", "<nil>"},
	{"depends(write, read, order)", "[N] -> { S[i] -> S[i + 1] : i >= 0 and N >= i + 2 }"},
	{"directions(depends(write, read, order))", "(+)"},
	{"distance(depends(write, read, order))", "(1)"},
	{"flow(read, write, {}, {}, order)", "[N] -> { S[i] -> [S[i + 1] -> A[i]] : i >= 0 and N >= i + 2 }"},
	{"is_equal(must_flow(read, write, {}, {}, order), flow(read, write, {}, {}, order))", "true"},
	{"is_equal(may_no_source(read, {}, write, {}, order), read)", "true"},
	{"must_no_source(read, write, {}, {}, order)", "[N] -> { S[i] -> A[-1] : i = 0 and N >= 1 }"},

	{"faces([N] -> { [i] : 0 <= i <= N })", "0: [N] -> { [i] : i >= 0 and N >= i } # dimension 1, directions { [1] }, holds [1 2]\n1: [N] -> { [i] : i = 0 and N >= 0 } # dimension 0\n2: [N] -> { [i] : i = N and N >= 0 } # dimension 0"},
	{"thick_faces({ [i] : 0 <= i <= 2 })", "0: { [i] : 0 <= i <= 2 } # dimension 0"},
	{"R := { [i] -> [i + 2] : 0 <= i < 10 }", "<nil>"},
	{"transitive_closure(R)", "{ [i] -> [i1] : (i - i1) mod 2 = 0 and i1 >= i + 2 and 0 <= i <= 9 and 2 <= i1 <= 11 } # exact"},
	{"R^+", "{ [i] -> [i1] : (i - i1) mod 2 = 0 and i1 >= i + 2 and 0 <= i <= 9 and 2 <= i1 <= 11 } # exact"},
	{"is_equal(R^+^-1, R^-1^+)", "true"},
	{"is_subset(R^3, R^+) ", "true"},
	{"transitive_closure([n] -> { [i] -> [2i] : 1 <= i < n })", "[n] -> { [i] -> [i1] : (i1) mod 2 = 0 and i >= 1 and n >= i + 1 and i1 >= 2 and 2n >= i1 + 2 and i1 >= i + 1 } # not proved exact: it may have more pairs"},
	{"power([n] -> { [i] -> [i + 2] : 0 <= i < n })", "[n] -> { [k] -> [[i] -> [2k + i]] : k >= 1 and i >= 0 and n >= i + 1 and 2k + i >= 2 and n + 1 >= 2k + i } # exact"},
}

func TestLines(t *testing.T) {
	c := &Calculator{Budget: 10_000_000}
	called := map[string]bool{}
	for _, l := range lines {
		v, err := c.Eval(l.line)
		if err != nil {
			t.Errorf("%s: %v", l.line, err)
			continue
		}
		if got := fmt.Sprint(v); got != l.want {
			t.Errorf("%s\n got %s\nwant %s", l.line, got, l.want)
		}
		for _, f := range functions {
			if strings.Contains(l.line, f.Name+"(") {
				called[f.Name] = true
			}
		}
	}
	called["union"], called["subtract"] = true, true // as + and -
	for _, f := range Functions() {
		if !called[f.Name] {
			t.Errorf("no line calls %s", f.Name)
		}
		if f.Doc == "" || f.Signature() == "" || strings.Contains(f.Signature(), ", ,") {
			t.Errorf("%s(%s): %q", f.Name, f.Signature(), f.Doc)
		}
	}
}

func TestMistakes(t *testing.T) {
	c := &Calculator{}
	for _, m := range []struct {
		line, want string
		offset     int
	}{
		{"{ [i] : i ** 2 }", "expected", 11},
		{"nosuch({ [i] })", "unknown function nosuch", 0},
		{"affine_hul({ [i] })", "is it affine_hull?", 0},
		{"union({ [i] })", "union takes 2 arguments (a set or map, a set or map), not 1", 0},
		{"union({ [i] }, { [i] -> [j] })", "not a set and a map", 0},
		{"B", "", -1},
		{"domain(B)", "B has no value", 0},
		{"add({ [i] -> [j] : j > i }, 1)", "the map is not single-valued", 0},
		{"floor({ [i] -> [i, i] })", "one value, not 2", 0},
		{"{ [i] -> [i] } + pw_aff({ S[i] -> [i] })", "different spaces", 15},
		{"mod({ [i] -> [i] }, 0)", "mod wants a positive number", 0},
		{"floordiv({ [i] -> [i] }, 0)", "a division by 0", 0},
		{"mul({ [i] -> [i] }, { [i] -> [i] })", "not affine", 0},
		{"max({ [i] : i >= 0 }, { [i] -> [i] : i > 3 })", "has to be affine", 0},
		{"lp_min({ [i] -> [i] }, 3)", "lp_min takes a set, a function", 0},
		{"dim_min({ [i] : i >= 0 }, 1)", "dimension 1 of 1", 0},
		{"dim_min({ [i] : i >= 0 }, 99999999999)", "there is no dimension", 0},
		{"dim_min({ [i] : i <= 0 }, 0)", "no bound in that direction", 0},
		{"vertices({ [i] : i mod 2 = 0 })", "without floors", 0},
		{"complexity({ [i] : i >= 0 })", "infinite", 0},
		{"pw_aff({ [i] -> [i*i] })", "not affine", 18},
		{"pw_aff({ [i] -> [i, 2] })", "one value, not 2", 0},
		{"points({ [i] : i > 0 })", "not bounded", 0},
		{"R := { [i] -> [i + 1] }", "", -1},
		{"codegen({ [i] -> [i] : i <= 3 })", "no lower bound", 0},
		{"codegen({ [i] : i <= 3 })", "codegen takes a schedule tree or map", 0},
		{"codegen_using(schedule({ S[] }, { }, { }), { : }, { })", "not a schedule tree and", 0},
		{"R^0", "expected + or a number of steps", 2},
		{"R^2000", "at most 1000", 2},
		{"{ [i] }^1", "inverse takes a map", 7},
		{"{ [i] }^+", "transitive_closure takes a map", 7},
		{"(1", "expected \")\"", 2},
		{"1 2", "expected the end of the line", 2},
		{"99999999999999999999", "no number of 64 bits", 0},
		{strings.Repeat("(", 300), "nested more than 200 deep", 200},
	} {
		v, err := c.Eval(m.line)
		if m.offset < 0 {
			continue
		}
		e, ok := err.(*Error)
		if !ok || !strings.Contains(e.Msg, m.want) || e.Offset != m.offset {
			t.Errorf("%s: %v %v at %d, want %q at %d", m.line, v, err, offsetOf(err), m.want, m.offset)
		}
	}
	tight := &Calculator{Budget: 10}
	if _, err := tight.Eval("complexity([N] -> { [i, j] : 0 <= i < N and 0 <= j < i })"); err == nil || !strings.Contains(err.Error(), "budget") {
		t.Errorf("a budget of 10: %v", err)
	}
	if _, err := tight.Eval("codegen({ [i, j] -> [i + j, j] : 0 <= i <= j <= 9 })"); err == nil || !strings.Contains(err.Error(), "budget") {
		t.Errorf("a budget of 10: %v", err)
	}
	if _, err := tight.Eval("min({ [i] -> [i] : 0 <= 3i <= 10 }, { [i] -> [3] : 0 <= 2i <= 7 })"); err == nil || !strings.Contains(err.Error(), "budget") {
		t.Errorf("a budget of 10: %v", err)
	}
}

func offsetOf(err error) int {
	if e, ok := err.(*Error); ok {
		return e.Offset
	}
	return -1
}

// TestKinds looks at what answers are.
func TestKinds(t *testing.T) {
	c := &Calculator{}
	for line, ok := range map[string]func(any) bool{
		"{ [i] }":                             func(v any) bool { _, ok := v.(p.Set); return ok },
		"{ [i] -> [j] }":                      func(v any) bool { _, ok := v.(p.Map); return ok },
		"neg({ [i] -> [i] })":                 func(v any) bool { _, ok := v.(p.PwAff); return ok },
		"pw_multi_aff({ [i] -> [i] })":        func(v any) bool { _, ok := v.(p.PwMultiAff); return ok },
		"kernel({ [i] -> [i] })":              func(v any) bool { _, ok := v.(Vectors); return ok },
		"vertices({ [i] : i >= 0 })":          func(v any) bool { l, ok := v.(List); return ok && len(l) == 1 },
		"min({ [i] : i >= 0 }, { [i]->[i] })": func(v any) bool { o, ok := v.(p.Optimum); return ok && o.Status == p.Optimal },
		"complexity({ [i] : 0 <= i < 3 })":    func(v any) bool { _, ok := v.(p.Complexity); return ok },
		"card({ [i] : 0 <= i < 3 })":          func(v any) bool { _, ok := v.(*p.Count); return ok },
		"is_empty({ [i] })":                   func(v any) bool { return v == false },
		"3":                                   func(v any) bool { return v == p.NewInt(3) },
	} {
		v, err := c.Eval(line)
		if err != nil || !ok(v) {
			t.Errorf("%s: %T %v %v", line, v, v, err)
		}
	}
}
