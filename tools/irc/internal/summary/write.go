package summary

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// Text is the summary as a table, and then what is wrong.
func (s *Summary) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s\n\n", counted(s.Chains, "chain", "chains"), counted(s.Draws, "draw", "draws"))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tmean\tMCSE\tsd\t5%\tmedian\t95%\tR-hat\tbulk ESS\ttail ESS\t")
	for _, r := range s.Rows {
		if r.Constant {
			fmt.Fprintf(w, "%s\t%s\t-\t0\t-\t%s\t-\t-\t-\t-\t\n", r.Name, short(r.Mean), short(r.Median))
			continue
		}
		in := func(x float64) string { return decimals(x, r.MeanError) }
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Name, in(r.Mean), short(r.MeanError), decimals(r.SD, r.SDError),
			in(r.Q5), in(r.Median), in(r.Q95), fixed(r.Rhat, 3), fixed(r.BulkESS, 0), fixed(r.TailESS, 0))
	}
	w.Flush()
	for _, a := range s.Advice {
		fmt.Fprintf(&b, "\n%s\n", a)
	}
	return leftAligned(b.String())
}

// leftAligned moves the first column of the table to the left, which tabwriter aligns as the others.
func leftAligned(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines[2:] {
		if line == "" {
			break
		}
		rest := strings.TrimLeft(line, " ")
		if i == 0 { // the head of the first column is empty
			continue
		}
		name, cells, _ := strings.Cut(rest, " ")
		lines[i+2] = name + strings.Repeat(" ", len(line)-len(rest)) + " " + cells
	}
	return strings.Join(lines, "\n")
}

// short is a number to two digits.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) }

// fixed is a number with so many digits behind the point; "-" of NaN.
func fixed(x float64, digits int) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// decimals is a number to the first two digits of its error.
func decimals(x, err float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	if !(err > 0) || math.IsInf(err, 0) {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	n := 1 - int(math.Floor(math.Log10(err)))
	if n > 6 || n < -6 {
		significant := n
		if x != 0 {
			significant += 1 + int(math.Floor(math.Log10(math.Abs(x))))
		}
		return strconv.FormatFloat(x, 'g', max(significant, 1), 64)
	}
	out := strconv.FormatFloat(x, 'f', max(n, 0), 64)
	if strings.Trim(out, "-0.") == "" { // minus zero is what rounding makes
		return strings.TrimPrefix(out, "-")
	}
	return out
}

// JSON is the summary as an object.
func (s *Summary) JSON() ([]byte, error) {
	rows := lists.Map(s.Rows, func(r Row) any {
		n := jsontext.Number
		return jsontext.Fields("name", r.Name, "mean", n(r.Mean), "mcse_mean", n(r.MeanError), "sd", n(r.SD), "mcse_sd", n(r.SDError),
			"q5", n(r.Q5), "median", n(r.Median), "q95", n(r.Q95), "rhat", n(r.Rhat), "ess_bulk", n(r.BulkESS), "ess_tail", n(r.TailESS), "constant", r.Constant)
	})
	advice := lists.Map(s.Advice, func(a Advice) any {
		return jsontext.Fields("kind", a.Kind, "what", a.What, "of", append([]string{}, a.Of...), "fix", a.Fix)
	})
	out := jsontext.Fields("chains", s.Chains, "draws", s.Draws, "quantities", rows)
	if s.Divergent >= 0 {
		out = append(out, jsontext.Member{Key: "divergent", Value: s.Divergent})
	}
	if s.Saturated >= 0 {
		out = append(out, jsontext.Fields("saturated", s.Saturated, "max_depth", s.MaxDepth)...)
	}
	if s.EBFMI != nil {
		out = append(out, jsontext.Member{Key: "e_bfmi", Value: jsontext.Numbers(s.EBFMI)})
	}
	out = append(out, jsontext.Member{Key: "advice", Value: append([]any{}, advice...)})
	data, err := jsontext.Encode(out)
	return append(data, '\n'), err
}
