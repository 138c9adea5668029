package reductions

// A Program is equations in a file, and what they cost.
type Program struct {
	File      string // in examples, without its extension
	Original  string // as they stand
	Optimized string // simplified
	Expert    string // as an expert would write them, where that costs less
	Note      string // why an expert comes to his cost, or how the paper's table differs
}

// Table2 is Table 2 of the paper in the order of its rows. K <= N and K <= W stand in the heads of
// the mixtures and of latent Dirichlet allocation, so that N*(N + K) is N^2.
var Table2 = []Program{
	{File: "eq/gmm", Original: "N^2*K^2", Optimized: "N*K"},
	{File: "eq/gmm_mh", Original: "N^2", Optimized: "N", Note: "in the paper N*(N + K)"},
	{File: "eq/gmm_lw", Original: "N^2", Optimized: "N", Note: "in the paper N*(N + K)"},
	{File: "eq/lda_gs", Original: "W^2*K^2", Optimized: "W*K"},
	{File: "eq/lda_mh", Original: "W^2*K", Optimized: "W*K"},
	{File: "eq/lda_lw", Original: "W^2*K", Optimized: "W"},
	{File: "eq/dmm_gs", Original: "W*K^2*D*A + K^2*D^2", Optimized: "W*K*D + K*A", Expert: "K*D*A + W",
		Note: "in the paper (W + A)*K*D: the sum of X[k,a] + s[d] is one of X, and K*A times s[d]; Manual: a histogram of the words of each document"},
	{File: "eq/dmm_mh", Original: "K^2*D^2 + W*D + D*A", Optimized: "W*D + K*D + D*A", Expert: "K*D + D*A + W",
		Note: "Manual in the paper: words sorted by document"},
	{File: "eq/dmm_lw", Original: "W*D*A + K^2*D", Optimized: "W*D + K*D + D*A", Expert: "K*D + D*A + W",
		Note: "in the paper (W*A + K)*D: it does not write out the prefix sum that draws from K topics; Manual: words sorted by document"},
	{File: "eq/lbp", Original: "H*B*K*R^2*T", Optimized: "H*B*K*R*T",
		Note: "in the paper N*K*D^2, of one iteration: its N is H*B, its D is R"},
	{File: "eq/coxph", Original: "N^2*K^2*T + K^3*T", Optimized: "N*K^2*T + K^3*T",
		Note: "in the paper K^2*N^2 and K^2*N, of one iteration: it does not count the factorisation of K^3"},
}

// Keyed are programs that cost less after poly-key, too.
var Keyed = []Program{
	{File: "eq/collapsed_lda", Original: "W^2*K + W*K^2 + W*K*D + W*K*V", Optimized: "W*K", Note: "tables of running counts by document and by word"},
}

// Known are programs where a size is known, which is a constant then.
var Known = []Program{
	{File: "eq/prefix", Original: "N^2", Optimized: "N"},
	{File: "eq/lbp4", Original: "H*B*K*T", Optimized: "H*B*K*T", Note: "R = 4"},
	{File: "eq/lbp8", Original: "H*B*K*T", Optimized: "H*B*K*T", Note: "R = 8"},
}
