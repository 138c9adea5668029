package draws

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

func source(name, text string) *diag.Source {
	return diag.NewSource(name, strings.TrimLeft(text, "\n"))
}

const stan = `
# stan_version_major = 2
# model = m_model
#   sample
#     num_samples = 3
#     num_warmup = 3
#     save_warmup = 1
#     thin = 2
#       max_depth = 10 (Default)
lp__,divergent__,energy__,mu,theta.1,theta.2
-1,0,1,9,9,9
-1,0,1,9,9,9
# Adaptation terminated
# Step size = 0.8
-7.5,1,2.5,1,2,3
-6.5,0,3.5,4,5,inf
#  Elapsed Time: 0.1 seconds (Sampling)
`

// TestFormats reads one file of each kind.
func TestFormats(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		files  []*diag.Source
		names  []string
		values [][][]float64 // by chain and quantity
	}{
		{"stan", []*diag.Source{source("a.csv", stan), source("b.csv", stan)}, []string{"mu", "theta[1]", "theta[2]"},
			[][][]float64{{{1, 4}, {2, 5}, {3, inf}}, {{1, 4}, {2, 5}, {3, inf}}}},
		{"R", []*diag.Source{source("r.csv", "\"\",\"mu\",\"theta[1,2]\",\".chain\",\".iteration\",\".draw\"\n\"1\",1,2,1,1,1\n\"2\",3,NA,1,2,2\n\"3\",5,6,2,1,3\n\"4\",7,8,2,2,4\n")},
			[]string{"mu", "theta[1,2]"}, [][][]float64{{{1, 3}, {2, math.NaN()}}, {{5, 7}, {6, 8}}}},
		{"CODA", []*diag.Source{source("index.txt", "mu 1 2\nb[1] 3 4\n"), source("1.txt", "11 1\n12 2\n11 3\n12 4\n"), source("2.txt", "11 5\n12 6\n11 7\n12 8\n")},
			[]string{"mu", "b[1]"}, [][][]float64{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}},
		{"ArviZ", []*diag.Source{source("a.json", `{"posterior": {"mu": [[1, 2], [3, NaN]], "a\"b": [[[[1, 2]], [[3, 4]]], [[[5, 6]], [[7, -Infinity]]]]}, "sample_stats": {"diverging": [[false, true], [false, false]]}, "dims": {}}`)},
			[]string{"mu", `a"b[1,1]`, `a"b[1,2]`}, [][][]float64{{{1, 2}, {1, 3}, {2, 4}}, {{3, math.NaN()}, {5, 7}, {6, -inf}}}},
		{"another order", []*diag.Source{source("a.csv", "x,y\n1,2\n"), source("b.csv", "y,x\n2,1\n")}, []string{"x", "y"}, [][][]float64{{{1}, {2}}, {{1}, {2}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Read(c.files)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(d.Names, c.names) {
				t.Errorf("the quantities are %q, not %q", d.Names, c.names)
			}
			if len(d.Chains) != len(c.values) {
				t.Fatalf("there are %d chains, not %d", len(d.Chains), len(c.values))
			}
			for k, chain := range c.values {
				for i, want := range chain {
					same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
					if got := d.Of(i)[k]; !slices.EqualFunc(got, want, same) {
						t.Errorf("%s of chain %d is %v, not %v", d.Names[i], k+1, got, want)
					}
				}
			}
			switch c.name {
			case "stan":
				if x := d.Sampler("divergent"); len(x) != 2 || !slices.Equal(x[1], []float64{1, 0}) || d.Chains[0].Settings["max_depth"] != "10" {
					t.Errorf("divergent transitions are %v, max_depth is %q", x, d.Chains[0].Settings["max_depth"])
				}
			case "ArviZ":
				if x := d.Sampler("divergent"); len(x) != 2 || !slices.Equal(x[0], []float64{0, 1}) {
					t.Errorf("divergent transitions are %v", x)
				}
			}
		})
	}
}

// TestWrongFiles has what is no file of draws, with what is said and where.
func TestWrongFiles(t *testing.T) {
	for _, c := range []struct {
		files []*diag.Source
		want  string
	}{
		{[]*diag.Source{source("a.csv", "")}, "a.csv:1:1: error: a.csv has no names"},
		{[]*diag.Source{source("a.csv", "x,y\n")}, "a.csv:1:1: error: there are no draws"},
		{[]*diag.Source{source("a.csv", "lp__,chain\n1,1\n")}, "a.csv:1:1: error: no column of a.csv is a quantity"},
		{[]*diag.Source{source("a.csv", "x,y,x\n1,2,3\n")}, "a.csv:1:1: error: there are two columns x"},
		{[]*diag.Source{source("a.csv", "x,y\n1,2\n3,4\n5")}, "a.csv:4:1: error: the last line has 1 values for 2 columns"},
		{[]*diag.Source{source("a.csv", "x,y\n1,2\n# note\n3,four\n")}, `a.csv:4:3: error: "four" is no number, in column y`},
		{[]*diag.Source{source("a.csv", "x,y\n1,\"2\n")}, "a.csv:3:1: error: this is no line of a table"},
		{[]*diag.Source{source("a.csv", "x\n1\n2\n"), source("b.csv", "x\n1\n")}, "a.csv has chains of 2 draws, and b.csv of 1"},
		{[]*diag.Source{source("a.csv", "x,y\n1,2\n"), source("b.csv", "x,z\n1,2\n")}, "b.csv:1:1: error: b.csv has no y, and a.csv has"},
		{[]*diag.Source{source("a.csv", "x\n1\n"), source("b.csv", "x,z\n1,2\n")}, "a.csv:1:1: error: a.csv has no z, and b.csv has"},
		{[]*diag.Source{source("a.csv", stan[:strings.Index(stan, "# Adaptation")])}, "a.csv:1:1: error: there are no draws"},
		{[]*diag.Source{source("i.txt", "mu 1 2\n")}, "i.txt:1:1: error: i.txt is an index of CODA, and no chains follow"},
		{[]*diag.Source{source("1.txt", "1 2\n")}, "1.txt:1:1: error: 1.txt is a chain of CODA"},
		{[]*diag.Source{source("i.txt", "mu 1 2\nb 3 5\n"), source("1.txt", "1 2\n")}, "i.txt:2:1: error: b has 3 draws, and mu has 2"},
		{[]*diag.Source{source("i.txt", "mu 1 2\nb 4 3\n"), source("1.txt", "1 2\n")}, "i.txt:2:1: error: this is no line of an index"},
		{[]*diag.Source{source("i.txt", "mu 1 2\n"), source("1.txt", "1 2\n2 x\n")}, "1.txt:2:1: error: this is no line of a chain"},
		{[]*diag.Source{source("i.txt", "mu 1 2\n"), source("1.txt", "1 2\n")}, "1.txt:2:1: error: 1.txt ends at line 1, and mu"},
		{[]*diag.Source{source("a.json", `{"posterior": {"mu": [[1, 2]}`)}, "a.json:1:30: error: a.json is no JSON of draws"},
		{[]*diag.Source{source("a.json", `{"prior": 1}`)}, `a.json:1:1: error: a.json has no group "posterior"`},
		{[]*diag.Source{source("a.json", `{"posterior": {"mu": 3}}`)}, "a.json:1:16: error: mu: this is no list of chains"},
		{[]*diag.Source{source("a.json", `{"posterior": {"mu": [[1, [2]]]}}`)}, "a.json:1:16: error: mu: one draw is of shape"},
		{[]*diag.Source{source("a.json", `{"posterior": {"mu": [[1, {}]]}}`)}, "a.json:1:16: error: mu: this is no number"},
		{[]*diag.Source{source("a.json", `{"posterior": {"mu": [[1, 2]], "b": [[1], [2]]}}`)}, "a.json:1:1: error: b has 2 chains, and mu has 1"},
		{[]*diag.Source{source("a.json", `{"posterior": {"mu": [[1, 2]], "b": [[1]]}}`)}, "a.json:1:1: error: b has 1 draws, and mu has 2"},
	} {
		_, err := Read(c.files)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("of %.40q: %v, not %s", c.files[len(c.files)-1].Text, err, c.want)
		}
	}
}

// TestMatching names quantities as one does on a command line.
func TestMatching(t *testing.T) {
	d := &Draws{Names: []string{"mu", "theta[1]", "theta[2]", "tau"}}
	for _, c := range []struct{ patterns, want string }{
		{"mu", "mu"}, {"theta", "theta[1] theta[2]"}, {"theta[2]", "theta[2]"}, {"t*", "theta[1] theta[2] tau"}, {"theta[?] mu", "theta[1] theta[2] mu"}, {"mu m*", "mu"},
		{"thta", "there are no draws of thta: did you mean theta?"}, {"x*", "there are no draws of x*"},
	} {
		list, err := d.Matching(strings.Fields(c.patterns))
		var got []string
		for _, i := range list {
			got = append(got, d.Names[i])
		}
		text := strings.Join(got, " ")
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(strings.ReplaceAll(text, "\n    ", ": "), strings.Split(c.want, ": ")[0]) || err == nil && text != c.want {
			t.Errorf("%s gives %q, not %q", c.patterns, text, c.want)
		}
	}
}
