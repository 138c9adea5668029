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
	{"ir/reduce", 4}, {"ir/irtest", 4}, {"ir/stage", 3}, {"ir/run", 3}, {"ir/interp", 3}, {"ir/text", 3}, {"ir/lower", 3}, {"ir/target", 2}, {"ir/affine", 1}, {"ir/cfg", 1}, {"ir/diag", 1}, {"ir", 0},
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

// BugsRooms are the packages of dialects/bugs, low to high: each imports those before it.
// The dialect itself, which is the front door, imports all.
var BugsRooms = []string{"syntax", "input", "function", "ops", "model", "eval", "roles", "bind", "order", "space", "emit", "stage", "run", "lower"}

// MaxFiles is how many files without tests a room of BugsRooms may have; one that needs
// more holds two subjects.
const MaxFiles = 25

// Upward reports that a package of dialects/bugs imports one that is not below it, or that
// it is in no row of BugsRooms.
func Upward(from, to string) bool {
	place := func(folder string) int {
		room, in := strings.CutPrefix(folder, "dialects/bugs/")
		if !in {
			return len(BugsRooms)
		}
		return slices.Index(BugsRooms, room)
	}
	if from != "dialects/bugs" && !strings.HasPrefix(from, "dialects/bugs/") || to != "dialects/bugs" && !strings.HasPrefix(to, "dialects/bugs/") {
		return false
	}
	a, b := place(from), place(to)
	return b < 0 || a >= 0 && b >= a
}
