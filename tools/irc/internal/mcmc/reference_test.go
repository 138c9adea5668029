package mcmc

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// A value is a number of the reference, which writes NaN and infinities as text.
type value float64

func (v *value) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"NaN"`:
		*v = value(math.NaN())
	case `"Inf"`:
		*v = value(math.Inf(1))
	case `"-Inf"`:
		*v = value(math.Inf(-1))
	default:
		return json.Unmarshal(data, (*float64)(v))
	}
	return nil
}

type reference struct {
	Chains []struct {
		Name        string
		Draws       [][]value
		Rhat        value
		Bulk        value
		Tail        value
		Mean        value
		MeanError   value `json:"mean_error"`
		SDError     value `json:"sd_error"`
		LowError    value `json:"low_error"`
		MedianError value `json:"median_error"`
	}
	Predictions []struct {
		Name     string
		Chains   int
		LogLik   [][]value `json:"log_lik"`
		Relative []value
		ELPD     []value `json:"elpd"`
		Error    []value
		P        []value
		K        []value
		ESS      []value `json:"n_eff"`
		Total    []value
		WAIC     []value `json:"waic"`
		PWAIC    []value `json:"p_waic"`
	}
}

func load(t *testing.T) (r reference) {
	t.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func floatsOf(list []value) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}

// same compares with what R says, to a relative error.
func same(t *testing.T, what string, got float64, want value, within float64) {
	t.Helper()
	w := float64(want)
	if math.IsNaN(got) && math.IsNaN(w) || got == w {
		return
	}
	if !(math.Abs(got-w) <= within*math.Abs(w)) {
		t.Errorf("%s is %.17g, and R says %.17g", what, got, w)
	}
}

// TestChains compares with R's posterior (testdata/reference.R).
func TestChains(t *testing.T) {
	list := load(t).Chains
	if len(list) < 20 {
		t.Fatalf("only %d cases", len(list))
	}
	for _, c := range list {
		t.Run(c.Name, func(t *testing.T) {
			var x Chains
			for _, d := range c.Draws {
				x = append(x, floatsOf(d))
			}
			same(t, "R-hat", Rhat(x), c.Rhat, 1e-10)
			same(t, "bulk ESS", BulkESS(x), c.Bulk, 1e-10)
			same(t, "tail ESS", TailESS(x), c.Tail, 1e-10)
			same(t, "ESS of the mean", MeanESS(x), c.Mean, 1e-10)
			same(t, "error of the mean", MeanError(x), c.MeanError, 1e-10)
			same(t, "error of the standard deviation", SDError(x), c.SDError, 1e-10)
			same(t, "error of the 5 % quantile", QuantileError(x, 0.05), c.LowError, 1e-10)
			same(t, "error of the median", QuantileError(x, 0.5), c.MedianError, 1e-10)
		})
	}
}

// TestPredictions compares with R's loo.
func TestPredictions(t *testing.T) {
	list := load(t).Predictions
	if len(list) < 5 {
		t.Fatalf("only %d cases", len(list))
	}
	for _, c := range list {
		t.Run(c.Name, func(t *testing.T) {
			var elpd []float64
			for i, column := range c.LogLik {
				all := floatsOf(column)
				n := len(all) / c.Chains
				var x Chains
				for k := range c.Chains {
					x = append(x, all[k*n:(k+1)*n])
				}
				if !x.IsConstant() { // of which loo says 0.5
					same(t, "relative ESS", RelativeESS(x), c.Relative[i], 1e-10)
				}
				p := LOO(all, float64(c.Relative[i]))
				elpd = append(elpd, p.ELPD)
				same(t, "elpd", p.ELPD, c.ELPD[i], 1e-10)
				same(t, "error of elpd", p.Error, c.Error[i], 1e-10)
				same(t, "p", p.P, c.P[i], 1e-8) // a difference of two that are nearly equal
				same(t, "Pareto k", p.ParetoK, c.K[i], 1e-6)
				same(t, "ESS of weights", p.ESS, c.ESS[i], 1e-10)
				w := WAIC(all)
				same(t, "WAIC", w.ELPD, c.WAIC[i], 1e-10)
				same(t, "p of WAIC", w.P, c.PWAIC[i], 1e-10)
			}
			sum, e := Total(elpd)
			same(t, "sum", sum, c.Total[0], 1e-10)
			same(t, "error of the sum", e, c.Total[1], 1e-10)
		})
	}
}
