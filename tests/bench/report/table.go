package report

import (
	"fmt"
	"math"
	"strconv"
)

// A Row is one line of the table. Figures are what was measured in this run;
// those that were not are NaN and left out of the JSON.
type Row struct {
	Group  string  `json:"group"`
	What   string  `json:"what"`
	Unit   string  `json:"unit,omitempty"`
	Ours   float64 `json:"ours,omitempty"`
	Peer   float64 `json:"peer,omitempty"`
	Ratio  float64 `json:"ratio,omitempty"` // ours / peer
	Target string  `json:"target,omitempty"`
	Met    *bool   `json:"met,omitempty"`
	Note   string  `json:"note,omitempty"`
}

type Report struct {
	CPU   string            `json:"cpu"`
	CPUs  int               `json:"cpus"`
	Go    string            `json:"go"`
	Quick bool              `json:"quick"`
	Peers map[string]string `json:"peers"`
	Rows  []Row             `json:"rows"`
}

type Table struct{ Rows []Row }

const layout = "%-46s %12s %12s %8s  %-16s %s\n"

func (t *Table) Head() {
	fmt.Printf(layout, "", "ours", "peer", "ratio", "target", "met?")
}

// Add prints a row at once, so that a long run shows where it is.
func (t *Table) Add(r Row) {
	t.Rows = append(t.Rows, r)
	ours, peer, ratio, met := figure(r.Ours, r.Unit), figure(r.Peer, r.Unit), "", ""
	if r.Ratio > 0 {
		ratio = strconv.FormatFloat(r.Ratio, 'f', 2, 64)
	}
	if r.Met != nil {
		met = map[bool]string{true: "yes", false: "NO"}[*r.Met]
	}
	if r.Note != "" {
		met += "  " + r.Note
	}
	fmt.Printf(layout, r.What, ours, peer, ratio, r.Target, met)
}

// Compare adds a row whose target is a ratio of ours to the peer's: at most most.
func (t *Table) Compare(group, what, unit string, ours, peer, most float64, target string) {
	r := Row{Group: group, What: what, Unit: unit, Ours: ours, Peer: peer, Target: target}
	switch {
	case peer <= 0:
		r.Note = "peer missing: needs mlir-opt-19 (mlir-19-tools)"
	case ours > 0:
		r.Ratio = ours / peer
		ok := r.Ratio <= most
		r.Met = &ok
	}
	t.Add(r)
}

// Absolute adds a row whose target is a figure of its own.
func (t *Table) Absolute(group, what, unit string, ours float64, ok bool, target string) {
	t.Add(Row{Group: group, What: what, Unit: unit, Ours: ours, Target: target, Met: &ok})
}

func (t *Table) Foot() {
	met, missed, open := 0, 0, 0
	for _, r := range t.Rows {
		switch {
		case r.Met == nil:
			open++
		case *r.Met:
			met++
		default:
			missed++
		}
	}
	fmt.Printf("\n%d targets met, %d missed, %d rows without a verdict\n", met, missed, open)
}

// figure writes a number with its unit, three digits or so.
func figure(x float64, unit string) string {
	if x == 0 || math.IsNaN(x) {
		return ""
	}
	digits := max(0, 2-int(math.Floor(math.Log10(math.Abs(x)))))
	return strconv.FormatFloat(x, 'f', min(digits, 4), 64) + " " + unit
}
