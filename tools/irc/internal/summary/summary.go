package summary

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/irc-lang/irc/tools/irc/internal/draws"
	"github.com/irc-lang/irc/tools/irc/internal/mcmc"
	"gonum.org/v1/gonum/stat"
)

// A Row is what the draws say of one quantity. What draws cannot give is NaN.
type Row struct {
	Name            string
	Mean, MeanError float64 // with its Monte Carlo error
	SD, SDError     float64
	Q5, Median, Q95 float64
	Rhat            float64
	BulkESS         float64
	TailESS         float64
	Constant        bool // all draws are equal: nothing can be said of mixing
	Unknown         int  // draws that are no numbers
}

// A Summary is of the draws of one run.
type Summary struct {
	Chains, Draws int // of each chain
	Rows          []Row
	// What a Hamiltonian sampler says of itself; counts are -1, and EBFMI nil, where it is not known.
	Divergent, Saturated int // transitions that diverged, or took as many steps as they may
	MaxDepth             int
	EBFMI                []float64 // by chain
	Advice               []Advice

	broken []string // files of runs that were stopped
}

// Of summarizes some quantities of a run. The work grows as n log n with the draws of each.
func Of(d *draws.Draws, quantities []int) *Summary {
	s := &Summary{Chains: len(d.Chains), Draws: d.Len(), Divergent: -1, Saturated: -1}
	for _, i := range quantities {
		s.Rows = append(s.Rows, rowOf(d.Names[i], d.Of(i)))
	}
	s.sampler(d)
	for _, c := range d.Chains {
		if c.Settings["complete"] == "false" {
			s.broken = append(s.broken, c.File)
		}
	}
	s.advise()
	return s
}

func rowOf(name string, x mcmc.Chains) Row {
	sorted := x.Sorted()
	r := Row{Name: name, Q5: mcmc.Quantile(sorted, 0.05), Median: mcmc.Quantile(sorted, 0.5), Q95: mcmc.Quantile(sorted, 0.95),
		Rhat: mcmc.Rhat(x), BulkESS: mcmc.BulkESS(x), TailESS: mcmc.TailESS(x), MeanError: mcmc.MeanError(x), SDError: mcmc.SDError(x), Constant: x.IsConstant()}
	r.Mean, r.SD = stat.MeanStdDev(sorted, nil)
	for _, v := range sorted { // NaN come first
		if math.IsNaN(v) {
			r.Unknown++
		}
	}
	return r
}

// sampler counts what Stan's columns say.
func (s *Summary) sampler(d *draws.Draws) {
	count := func(list [][]float64, is func(c int, v float64) bool) (n int) {
		for c, chain := range list {
			for _, v := range chain {
				if is(c, v) {
					n++
				}
			}
		}
		return n
	}
	if list := d.Sampler("divergent"); list != nil {
		s.Divergent = count(list, func(_ int, v float64) bool { return v != 0 })
	}
	limits := make([]int, len(d.Chains))
	for i, c := range d.Chains {
		limits[i], _ = strconv.Atoi(cmp.Or(c.Settings["max_depth"], c.Settings["max_treedepth"]))
	}
	if list := d.Sampler("treedepth"); list != nil && slices.Min(limits) > 0 {
		s.Saturated, s.MaxDepth = count(list, func(c int, v float64) bool { return int(v) >= limits[c] }), slices.Max(limits)
	}
	for _, energy := range d.Sampler("energy") {
		s.EBFMI = append(s.EBFMI, mcmc.EBFMI(energy))
	}
}
