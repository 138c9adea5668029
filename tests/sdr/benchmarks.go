package sdr

// A Benchmark is a program of equations and its peer in C. Its sizes are the arguments of the
// peer, in this order.
type Benchmark struct {
	Eq, Peer string
	Params   []string

	// For the interpreter, for native code, and to be timed, as it stands and with simplified
	// reductions (the sizes of the paper's Table 3); nil: it is not.
	Small, Large, Timed, Table3 []int

	// Round is how far a float may be off, relatively: 0 where all sums are exact, or where
	// equations and C compute the same in the same order, without logarithms and the like.
	Round float64

	// Manual are the passes that bring a program to the cost of the peer's form "manual", if it has one.
	Manual string
}

// tables are the passes that put data into tables by its keys.
const tables = "simplify-reductions,poly-key"

// Benchmarks are the eleven of the paper's Table 1, that of stereo vision also with a number of
// neighbours that the compiler knows, four and eight. Timed, C takes 0.1 to 1 s.
var Benchmarks = []Benchmark{
	{Eq: "gmm", Peer: "gmm_gs", Params: []string{"N", "K"}, Small: []int{17, 3}, Large: []int{300, 5}, Timed: []int{6000, 10}, Table3: []int{10000, 10}, Round: 1e-12},
	{Eq: "gmm_mh", Peer: "gmm_mh", Params: []string{"N", "K"}, Small: []int{30, 5}, Large: []int{1000, 20}, Timed: []int{20000, 10}, Table3: []int{10000, 10}, Round: 1e-14},
	{Eq: "gmm_lw", Peer: "gmm_lw", Params: []string{"N", "K"}, Small: []int{30, 5}, Large: []int{1000, 20}, Timed: []int{30000, 10}, Table3: []int{10000, 10}, Round: 1e-14},
	{Eq: "lda_gs", Peer: "lda_gs", Params: []string{"W", "K"}, Small: []int{17, 3}, Large: []int{300, 7}, Timed: []int{2000, 50}, Table3: []int{466000, 50}, Round: 1e-14},
	{Eq: "lda_mh", Peer: "lda_mh", Params: []string{"W", "K"}, Small: []int{17, 4}, Large: []int{500, 7}, Timed: []int{5000, 50}, Table3: []int{466000, 50}},
	{Eq: "lda_lw", Peer: "lda_lw", Params: []string{"W", "K"}, Small: []int{30, 7}, Large: []int{1000, 7}, Timed: []int{4000, 50}, Table3: []int{466000, 50}},
	{Eq: "dmm_gs", Peer: "dmm_gs", Params: []string{"W", "K", "D", "A"}, Small: []int{20, 3, 5, 4}, Large: []int{600, 4, 12, 9}, Timed: []int{20000, 4, 30, 129}, Table3: []int{570000, 4, 278, 129}, Round: 1e-12, Manual: tables + "{group=always}"},
	{Eq: "dmm_mh", Peer: "dmm_mh", Params: []string{"W", "K", "D", "A"}, Small: []int{30, 4, 7, 5}, Large: []int{2000, 6, 80, 30}, Timed: []int{570000, 4, 278, 129}, Table3: []int{570000, 4, 278, 129}, Round: 1e-12, Manual: tables},
	{Eq: "dmm_lw", Peer: "dmm_lw", Params: []string{"W", "K", "D", "A"}, Small: []int{30, 4, 7, 5}, Large: []int{2000, 6, 80, 30}, Timed: []int{20000, 4, 278, 129}, Table3: []int{570000, 4, 278, 129}, Round: 1e-12, Manual: tables},
	{Eq: "lbp", Peer: "lbp", Params: []string{"H", "B", "K", "R", "T"}, Small: []int{4, 3, 3, 4, 2}, Large: []int{24, 32, 8, 4, 5}},
	{Eq: "lbp4", Peer: "lbp", Params: []string{"H", "B", "K", "R", "T"}, Large: []int{24, 32, 8, 4, 5}, Timed: []int{144, 192, 16, 4, 10}, Table3: []int{288, 384, 16, 4, 10}},
	{Eq: "lbp8", Peer: "lbp", Params: []string{"H", "B", "K", "R", "T"}, Large: []int{24, 32, 8, 8, 5}, Timed: []int{144, 192, 16, 8, 10}, Table3: []int{288, 384, 16, 8, 10}},
	{Eq: "coxph", Peer: "coxph", Params: []string{"N", "K", "T"}, Small: []int{12, 2, 2}, Large: []int{200, 5, 5}, Timed: []int{600, 11, 10}, Table3: []int{424, 11, 10}, Round: 1e-9},
}

// CollapsedLDA is not of the paper: its counts are of words that have the same data as the one whose
// topic is drawn. The forms of its peer are "naive" and "manual".
var CollapsedLDA = Benchmark{Eq: "collapsed_lda", Peer: "collapsed_lda", Params: []string{"W", "K", "D", "V"}, Small: []int{14, 3, 4, 5}, Large: []int{3000, 8, 40, 90}, Table3: []int{466000, 50, 5000, 10000}, Manual: tables}

// Sizes names the sizes of a benchmark.
func (b Benchmark) Sizes(of []int) map[string]int {
	out := map[string]int{}
	for i, name := range b.Params {
		out[name] = of[i]
	}
	return out
}
