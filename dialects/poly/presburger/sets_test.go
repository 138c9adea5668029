package presburger

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

type setCase struct {
	Op       string                     `json:"op"`
	Inputs   []string                   `json:"inputs"`
	Extra    *string                    `json:"extra"`
	Expected map[string]json.RawMessage `json:"expected"`
	NIn      int                        `json:"n_in"`
}

// pointsOf lists the points at N, both sides of a map together.
func pointsOf(t *testing.T, r *union.Relation, n int64) string {
	t.Helper()
	if len(r.Parts) == 0 {
		return "[]"
	}
	r = r.FixParam("N", NewInt(n))
	flat := r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
		return union.Space{Out: &union.Tuple{Dims: make([]string, p.Dims())}}, p.Conjs
	})
	seq, err := (Set{flat}).Points()
	if err != nil {
		t.Errorf("%v: %s", err, Set{r})
		return ""
	}
	out := [][]int64{}
	for x := range seq {
		var v []int64
		for _, i := range x {
			v = append(v, short(i))
		}
		out = append(out, v)
	}
	b, _ := json.Marshal(out)
	return string(b)
}

func evalCase(c setCase) (*union.Relation, *bool, error) {
	in, err := c.parse()
	if err != nil {
		return nil, nil, err
	}
	return c.apply(in)
}

func (c setCase) parse() (in []*union.Relation, err error) {
	for _, s := range c.Inputs {
		r, _, err := notation.Parse(s)
		if err != nil {
			return nil, err
		}
		in = append(in, r.WithBudget(50_000_000))
	}
	return in, nil
}

// apply does the operation on inputs that are parsed.
func (c setCase) apply(in []*union.Relation) (*union.Relation, *bool, error) {
	ask := func(b bool, err error) (*union.Relation, *bool, error) { return nil, &b, err }
	give := func(r *union.Relation, err error) (*union.Relation, *bool, error) { return r, nil, err }
	switch c.Op {
	case "intersect":
		return give(intersect(in[0], in[1]))
	case "union":
		return unite(in[0], in[1]), nil, nil
	case "subtract":
		return give(subtract(in[0], in[1]))
	case "is_subset":
		return ask(isSubset(in[0], in[1]))
	case "is_equal":
		return ask(isEqual(in[0], in[1]))
	case "is_empty":
		return ask(isEmpty(in[0]))
	case "range":
		return Map{in[0]}.Range().r, nil, nil
	case "domain":
		return Map{in[0]}.Domain().r, nil, nil
	case "inverse":
		return Map{in[0]}.Inverse().r, nil, nil
	case "deltas":
		return Map{in[0]}.Deltas().r, nil, nil
	case "apply":
		s, err := Set{in[0]}.Apply(Map{in[1]})
		return s.r, nil, err
	case "compose":
		m, err := Map{in[0]}.Compose(Map{in[1]})
		return m.r, nil, err
	case "coalesce":
		return give(coalesce(in[0]))
	case "gist":
		return give(gist(in[0], in[1]))
	case "detect_equalities":
		s, err := Set{in[0]}.DetectEqualities()
		return s.r, nil, err
	case "complement":
		s, err := Set{in[0]}.Complement()
		return s.r, nil, err
	case "product":
		return Set{in[0]}.Product(Set{in[1]}).r, nil, nil
	case "lex_lt":
		return Set{in[0]}.LexLT(Set{in[1]}).r, nil, nil
	case "lex_le":
		return Set{in[0]}.LexLE(Set{in[1]}).r, nil, nil
	case "identity":
		return Set{in[0]}.Identity().r, nil, nil
	case "is_single_valued":
		return ask(Map{in[0]}.IsSingleValued())
	case "is_injective":
		return ask(Map{in[0]}.IsInjective())
	case "is_bounded":
		return ask(Set{in[0]}.IsBounded())
	case "is_disjoint":
		return ask(Set{in[0]}.IsDisjoint(Set{in[1]}))
	case "lexmin":
		return give(lexopt(in[0], false))
	case "lexmax":
		return give(lexopt(in[0], true))
	case "project":
		var first, n int
		fmt.Sscanf(*c.Extra, "set,%d,%d", &first, &n)
		s, err := Set{in[0]}.ProjectOut(first, n)
		return s.r, nil, err
	}
	return nil, nil, fmt.Errorf("no operation %s", c.Op)
}

func atN(t *testing.T, c *Count, n int64) string {
	v, err := c.At(map[string]Int{"N": NewInt(n)})
	if err != nil {
		t.Error(err)
	}
	return v.String()
}

func TestSets(t *testing.T) {
	text, err := os.ReadFile("testdata/sets.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []setCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		var n *Count
		var r *union.Relation
		var b *bool
		if c.Op == "card" {
			s, e := ParseSet(c.Inputs[0])
			if err = e; err == nil {
				n, err = s.Card()
			}
		} else {
			r, b, err = evalCase(c)
		}
		if err != nil {
			t.Errorf("%d %s %q: %v", i, c.Op, c.Inputs, err)
			continue
		}
		if n != nil {
			for at, want := range c.Expected {
				if v, err := strconv.ParseInt(at, 10, 64); err != nil || string(want) != atN(t, n, v) {
					t.Errorf("%d card %q at %s: %s, want %s", i, c.Inputs, at, n, want)
				}
			}
			continue
		}
		for at, want := range c.Expected {
			n, _ := strconv.ParseInt(at, 10, 64)
			if b != nil {
				continue // see below
			}
			if got := pointsOf(t, r, n); got != compact(want) {
				t.Errorf("%d %s %q at N = %d:\n got %s\nwant %s\n of %s", i, c.Op, c.Inputs, n, got, compact(want), Set{r})
				break
			}
		}
		if b != nil {
			all := true
			for _, want := range c.Expected {
				all = all && string(want) == "true"
			}
			if *b && !all || !*b && all && len(c.Expected) == 1 {
				t.Errorf("%d %s %q: %v", i, c.Op, c.Inputs, *b)
			}
		}
	}
}

func compact(raw json.RawMessage) string {
	var v [][]int64
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	if v == nil {
		v = [][]int64{}
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// short is the value of an integer that an int64 holds.
func short(x Int) int64 {
	v, _ := x.Int64()
	return v
}
