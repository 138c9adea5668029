package fuse

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
)

// why says what prevents that two loops become one.
type why int

const (
	fits why = iota
	otherSize
	usesIndex
	readsOther
	otherIndex
	usesWhole
	usesLength
	usesResult
	notYet
	otherRounds
	unknownEmits
	manyCopies
	effects
	cycle
)

// A refusal is what prevents that a loop joins the cluster of another one.
type refusal struct {
	why  why
	loop int // the other one
	op   ir.Value
}

var reasons = []string{
	otherSize:    "its size is another",
	usesIndex:    "it uses its index for more than to read what is emitted there",
	readsOther:   "it reads, by its own index, an array that is not made in the same loop",
	otherIndex:   "it reads it at another index than its own",
	usesWhole:    "it uses the whole array",
	usesLength:   "it uses the number of elements, which is known after the last round only",
	usesResult:   "it uses a result that is known after the last round only",
	notYet:       "an element of what a scan or a bucket makes is no value of the round",
	otherRounds:  "what it reads is made in other rounds than its own",
	unknownEmits: "what that emits is not seen, or its branches write",
	manyCopies:   "that emits in several places, and copies of the body are more code than the limit",
	effects:      "both touch memory or print",
	cycle:        "something between them needs the one and is needed by the other",
}

func (w why) String() string {
	if int(w) < len(reasons) {
		return reasons[w]
	}
	return fmt.Sprint(int(w))
}
