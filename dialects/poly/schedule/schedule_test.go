package schedule

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

func mustParse(t *testing.T, text string) *Node {
	t.Helper()
	n, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func set(t *testing.T, text string) presburger.Set {
	t.Helper()
	s, err := presburger.ParseSet(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func relation(t *testing.T, text string) presburger.Map {
	t.Helper()
	m, err := presburger.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// all has every kind of node.
const all = `domain: "[N] -> { A[i] : i >= 0 and N >= i + 1; B[i, j] : i >= 0 and N >= i + 1 and j >= 0 and i >= j }"
child:
  context: "[N] -> { [] : N >= 1 }"
  child:
    schedule: "[N] -> [{ A[i] -> [(i)]; B[i, j] -> [(i)] }, { A[i] -> [(N)]; B[i, j] -> [(floor((j)/2))] }]"
    permutable: 1
    coincident: [ 0, 1 ]
    options: "[N] -> { isolate[[] -> [x, y]] : x >= 10 and N >= x + 1; separate[0]; unroll[1]; [isolate[] -> atomic[0]] }"
    child:
      mark: "a \"name\""
      child:
        sequence:
        - filter: "{ A[i] }"
          child:
            guard: "{ [x, y] : x >= 0 }"
            child:
              extension: "{ [x, y] -> P[i2, z] : i2 = x and z >= 0 and y >= z + 1 }"
        - filter: "{ B[i, j] }"
          child:
            contraction: "{ Q[i, j, k] -> B[i3, i4] : i4 = j and i3 = i }"
            expansion: "{ B[i, j] -> Q[i2, i3, k] : i3 = j and i2 = i and 0 <= k <= 3 }"
            child:
              set:
              - filter: "{ Q[i, j, k] : k <= 1 }"
              - filter: "{ Q[i, j, k] : k >= 2 }"
`

func TestPrintsWhatItReads(t *testing.T) {
	n := mustParse(t, all)
	text := n.String()
	if text != all {
		t.Errorf("printed:\n%s\nread:\n%s", text, all)
	}
	if err := n.Check(); err != nil {
		t.Error(err)
	}
}

func TestFlowStyle(t *testing.T) {
	n := mustParse(t, `# isl prints a tree on one line
{ domain: "{ A[i] : 0 <= i < 9 }", child: { schedule: "L[{ A[i] -> [i] }, \
	{ A[i] -> [i mod 2] }]", permutable: 0, coincident: [ 1 ], child: { set: [ { filter: "{ A[i] : i < 3 }", child: {leaf: } }, { filter: "{ A[i] : i >= 3 }" } ] } } }`)
	want := `domain: "{ A[i] : 0 <= i <= 8 }"
child:
  schedule: "[{ A[i] -> [(i)] }, { A[i] -> [(i - 2*floor((i)/2))] }]"
  coincident: [ 1, 0 ]
  child:
    set:
    - filter: "{ A[i] : i <= 2 }"
    - filter: "{ A[i] : i >= 3 }"
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestParametersOfMembers(t *testing.T) {
	n := NewDomain(set(t, "{ A[i] }"), NewBand(BandData{Members: []Member{
		{Function: relation(t, "[N] -> { A[i] -> [i + N] }")},
		{Function: relation(t, "[M] -> { A[i] -> [M - i] }")},
	}}, nil))
	if _, err := Parse(n.String()); err != nil {
		t.Errorf("%v\n%s", err, n)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "line 1, column 1: there is no tree"},
		{`{ domain: "{ A[] }"`, "did not find expected"},
		{"domain: 3: 4", "mapping values are not allowed"},
		{"- a", "line 1, column 1: a node is a mapping"},
		{`child: { leaf: }`, "line 1, column 1: a node needs one of the keys"},
		{`filter: "{ A[] }"`, "the root of a tree is a domain, not a filter"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedul: \"[]\"", "line 3, column 3: a node needs one of the keys"},
		{"domain: \"{ A[i] }\"\nchild:\n  sequence: \"[]\"", "line 3, column 13: a sequence wants a list of filters"},
		{"domain: \"{ A[i] }\"\nchild:\n  set:\n  - domain: \"{ A[] }\"", "line 4, column 5: a child of a set is a filter, not a domain"},
		{"domain: \"{ A[i] }\"\nchild:\n  set:\n  child:\n    leaf:", "line 4, column 3: a node with the key set has no key child"},
		{"domain: \"{ A[i }\"", "line 1, column 9: domain: "},
		{"domain: \"{ A[i] -> B[i] }\"", "this is a map"},
		{"domain: [ 1 ]", "line 1, column 9: domain wants a text in quotes"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"{ A[i] -> [i] }\"", "line 3, column 13: schedule: a schedule is a list of maps"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i] }, ]\"", "expected a map after the last comma"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i] } { A[i] -> [i] }]\"", "expected a comma"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i, i] }]\"", "one value, not 2"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i] }]\"\n  permutable: yes", "line 4, column 15: expected 0 or 1"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i] }]\"\n  coincident: [ 1, 1 ]", "for each of the 1 members"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i] }]\"\n  options: \"{ inline[0] }\"", "line 4, column 12: options: unknown option"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i] }]\"\n  options: \"{ unroll[x]; atomic[x] }\"", "is to be"},
		{"domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i] }]\"\n  options: \"{ isolate[[] -> [x, y]] }\"", "2 members are isolated of a band of 1"},
		{"domain: \"{ A[i] }\"\nchild:\n  expansion: \"{ A[i] -> [i, i] }\"", "needs the key contraction"},
		{"domain: \"{ A[i] }\"\ndomain: \"{ A[i] }\"", "domain is there twice"},
		{"a: &a [ *a ]", "a node needs one of the keys"},
		{strings.Repeat("{ mark: a, child: ", 300) + "{ leaf: }" + strings.Repeat("}", 300), "nodes nest deeper than 200"},
	} {
		_, err := Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	band := func(f string) string { return "domain: \"{ A[i] : 0 <= i < 9 }\"\nchild:\n  schedule: \"" + f + "\"" }
	branches := func(a, b string) string {
		return "domain: \"{ A[i] : 0 <= i < 9 }\"\nchild:\n  sequence:\n  - filter: \"" + a + "\"\n  - filter: \"" + b + "\""
	}
	for _, c := range []struct{ text, want string }{
		{band("[{ A[i] -> [i] : i > 3 }]"), "member 0 of a band has no value for A["},
		{band("[{ A[i] -> [j] : i <= j <= i + 1 }]"), "more than one value"},
		{branches("{ A[i] : i < 3 }", "{ A[i] : i > 3 }"), "no filter of a sequence has A[3]"},
		{branches("{ A[i] : i < 3 }", "{ A[i] : i > 1 }"), "filter 1 of a sequence"},
		{band("[{ A[i] -> [i] }]") + "\n  child: { context: \"{ [] }\" }", "a context of 0 dimensions below 1 members"},
		{band("[{ A[i] -> [i] }]") + "\n  child: { extension: \"{ [i, j] -> B[i] }\" }", "an extension of 2 dimensions below 1 members"},
		{band("[{ A[i] -> [i] }]") + "\n  child: { domain: \"{ A[i] }\" }", "a domain stands where none may"},
		{band("[{ A[i] -> [i] }]") + "\n  options: \"{ isolate[[j] -> [i]] }\"", "below 0 isolates"},
		{band("[{ A[i] -> [i] }]") + "\n  child: { contraction: \"{ B[i] -> A[i] }\", expansion: \"{ A[i] -> B[i + 1] }\" }", "does not undo"},
		{band("[{ A[i] -> [i] }]"), ""},
		{branches("{ A[i] : i < 3 }", "{ A[i] : i > 2 }"), ""},
	} {
		err := mustParse(t, c.text).Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s\n%v, want %q", c.text, err, c.want)
		}
	}
}

func TestFlatMap(t *testing.T) {
	for _, c := range []struct{ tree, want string }{
		{`{ domain: "[N] -> { A[i] : 0 <= i < N; B[i, j] : 0 <= i < N and 0 <= j < N }", child: { sequence: [
			{ filter: "{ A[i] }", child: { schedule: "[{ A[i] -> [-i] }]" } },
			{ filter: "{ B[i, j] }", child: { schedule: "[{ B[i, j] -> [i + j] }, { B[i, j] -> [j] }]" } } ] } }`,
			"[N] -> { A[i] -> [0, -i, 0] : 0 <= i < N; B[i, j] -> [1, i + j, j] : 0 <= i < N and 0 <= j < N }"},
		{`{ domain: "{ A[i] : 0 <= i < 5 }", child: { schedule: "[{ A[i] -> [i] }]", child: {
			contraction: "{ B[i, j] -> A[i] }", expansion: "{ A[i] -> B[i, j] : 0 <= j < 3 }", child: {
			set: [ { filter: "{ B[i, j] : j < 2 }" }, { filter: "{ B[i, 2] }" } ] } } } }`,
			"{ B[i, j] -> [i, 0] : 0 <= i < 5 and 0 <= j < 2; B[i, 2] -> [i, 1] : 0 <= i < 5 }"},
	} {
		// The flat map below an expansion has the instances that it makes.
		m, err := mustParse(t, c.tree).Map()
		if err != nil {
			t.Errorf("%s: %v", c.tree, err)
			continue
		}
		if ok, err := m.IsEqual(relation(t, c.want)); err != nil || !ok {
			t.Errorf("%s\n got %s\nwant %s (%v)", c.tree, m, c.want, err)
		}
	}
	if _, err := mustParse(t, all).Map(); err == nil || !strings.Contains(err.Error(), "extension has no flat map") {
		t.Errorf("an extension: %v", err)
	}
}

func TestFromMap(t *testing.T) {
	m := relation(t, "[N] -> { A[i] -> [0, i, 0, 0] : 0 <= i < N; B[i, j] -> [1, i, j, 0] : 0 <= i, j < N; C[i, j] -> [1, j, i, 1] : 0 <= i, j < N }")
	n, err := FromMap(m)
	if err != nil {
		t.Fatal(err)
	}
	want := `domain: "[N] -> { A[i] : i >= 0 and N >= i + 1; B[i, j] : i >= 0 and j >= 0 and N >= i + 1 and N >= j + 1; C[i, j] : i >= 0 and j >= 0 and N >= i + 1 and N >= j + 1 }"
child:
  sequence:
  - filter: "[N] -> { A[i] }"
    child:
      schedule: "[N] -> [{ A[i] -> [(i)] }]"
  - filter: "[N] -> { B[i, j]; C[i, j] }"
    child:
      schedule: "[N] -> [{ B[i, j] -> [(i)]; C[i, j] -> [(j)] }, { B[i, j] -> [(j)]; C[i, j] -> [(i)] }]"
      child:
        sequence:
        - filter: "[N] -> { B[i, j] }"
        - filter: "[N] -> { C[i, j] }"
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if err := n.Check(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ m, want string }{
		{"{ A[i] -> [j] : i <= j <= i + 1 }", "more than one time"},
		{"{ A[i] -> [i]; B[i] -> [i, i] }", "times of 1 and of 2 dimensions"},
	} {
		if _, err := FromMap(relation(t, c.m)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.m, err, c.want)
		}
	}
}

func TestRewriteAndAll(t *testing.T) {
	n := mustParse(t, all)
	kinds := ""
	for depth, c := range n.All() {
		kinds += strings.Repeat(" ", depth) + c.Kind().String() + "\n"
	}
	if !strings.Contains(kinds, "     filter\n      guard\n       extension\n        leaf\n") {
		t.Errorf("in preorder:\n%s", kinds)
	}
	out, err := n.Rewrite(func(c *Node) (*Node, error) {
		if c.Kind() == Mark {
			return c.Child(0), nil
		}
		return c, nil
	})
	if err != nil || strings.Contains(out.String(), "mark") || !strings.Contains(n.String(), "mark") {
		t.Errorf("%v: %s", err, out)
	}
}
