// Package layers says which folder stands above which: the rule of imports that a
// test checks, and the rows of the drawing of the house.
package layers

import (
	"slices"
	"strings"
)

// Module is the path of the module, with a slash.
const Module = "github.com/irc-lang/irc/"

// A Layer is a folder, or several, that may import what is below.
type Layer struct {
	Prefix string
	Rank   int // higher ones import lower ones, or their own
}

// All lists the layers, high to low. A folder belongs to the first that it is in.
var All = []Layer{
	{"tests", 10}, {"examples", 10}, {"tools", 9}, {"backends", 8}, {"lowering", 7}, {"passes", 6}, {"dialects", 5},
	{"ir/reduce", 4}, {"ir/irtest", 4}, {"ir/stage", 3}, {"ir/run", 3}, {"ir/interp", 3}, {"ir/text", 3}, {"ir/lower", 3}, {"ir/target", 2}, {"ir/affine", 1}, {"ir/cfg", 1}, {"ir/diag", 1}, {"ir/ordering", 1}, {"ir", 0},
}

// Of is the layer of a folder, which is relative to the root; false if it is in none.
func Of(folder string) (Layer, bool) {
	for _, l := range All {
		if folder == l.Prefix || strings.HasPrefix(folder, l.Prefix+"/") {
			return l, true
		}
	}
	return Layer{}, false
}

// Packages are the packages that a dialect is made of, low to high: each imports those before
// it. The dialect itself, which is the front door, imports all.
var Packages = map[string][]string{
	"dialects/bugs": {"syntax", "input", "function", "ops", "model", "eval", "roles", "bind", "order", "space", "emit", "stage", "run", "lower"},
	"dialects/prob": {"kit", "cumulative", "functions", "support", "draw", "terms", "family", "apply", "forms"},

	"dialects/poly/presburger/internal": {"lp", "conj", "hull", "union", "piecewise", "notation", "count"},
}

// MaxFiles is how many files without tests a room may have; one that needs more holds two
// subjects.
const MaxFiles = 25

// House is the folder of Rooms that a package is in, and its room there, "" for the front
// door; false if it is in none.
func House(folder string) (house, room string, in bool) {
	for h := range Packages {
		if folder == h {
			return h, "", true
		}
		if r, ok := strings.CutPrefix(folder, h+"/"); ok {
			return h, r, true
		}
	}
	return "", "", false
}

// Upward reports that a package imports one of the same house that is not below it, or that
// is in no row of Rooms.
func Upward(from, to string) bool {
	h, a, in := House(from)
	g, b, too := House(to)
	if !in || !too || h != g {
		return false
	}
	place := func(room string) int {
		if room == "" {
			return len(Packages[h])
		}
		return slices.Index(Packages[h], room)
	}
	return place(b) < 0 || place(a) >= 0 && place(b) >= place(a)
}
