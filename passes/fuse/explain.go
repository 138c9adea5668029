package fuse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
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
	scalar
	askedLate
	takenAway
	nothingShared
)

// A refusal is what prevents that a loop joins the cluster of another one.
type refusal struct {
	why  why
	loop int // the other one
	op   ir.Value
}

var reasons = []string{
	otherSize:     "its size is another",
	usesIndex:     "it uses its index for more than to read what is emitted there",
	readsOther:    "it reads, by its own index, an array that is not made in the same loop",
	otherIndex:    "it reads it at another index than its own",
	usesWhole:     "it uses the whole array",
	usesLength:    "it uses the number of elements, which is known after the last round only",
	usesResult:    "it uses a result that is known after the last round only",
	notYet:        "an element of what a scan or a bucket makes is no value of the round",
	otherRounds:   "what it reads is made in other rounds than its own",
	unknownEmits:  "what that emits is not seen, or its branches write",
	manyCopies:    "that emits in several places, and copies of the body are more code than the limit",
	effects:       "both touch memory or print",
	scalar:        "one loop of both would not run in vectors, which is dearer than what lies between them",
	askedLate:     "its groups would be asked for only when they are needed, which is dearer than what lies between them",
	takenAway:     "what one emits is taken elsewhere, or more than once, and so often its rounds are made",
	nothingShared: "they read nothing in common, and each is as fast by itself",
	cycle:         "then something would be needed before the loop that needs it itself; of what cannot be had together the plan takes what saves more",
}

// String is the end of a remark. A pair that fits was apart because another plan saves more.
func (w why) String() string {
	if w == fits {
		return "the plan that saves most has it elsewhere"
	}
	return reasons[w]
}

// explain tells what became one loop, and for loops over the same size, or of which one uses what
// the other makes, what prevented that. Each is told once.
func (f *fused) explain(m *model, p *plan) {
	if !f.ctx.Reports() {
		return
	}
	for _, c := range p.clusters {
		if len(c.members) < 2 {
			continue
		}
		lines := lists.Map(c.members, func(l int) string { return f.where(p.g, p.loops[l].v) })
		f.say("the loops at %s become one", strings.Join(lines, ", "))
	}
	// legal asks about the next loop in order: the plan is built again, loop by loop, to ask it.
	again := newPlan(p.region, p.limit)
	clusters := map[int]int{} // of this plan in that one
	for l, x := range p.loops {
		for _, q := range again.related(l) {
			if p.of[q] == p.of[l] {
				continue
			}
			_, no := again.legal(l, again.of[q])
			if no.why == fits {
				no.why = m.unwanted(again, l, again.of[q])
			}
			other, at := p.loops[q].v, ""
			if no.op != 0 && no.op != x.v {
				at = " (" + f.where(p.g, no.op) + ")"
			}
			f.say("the loop at %s is not fused with that at %s: %s%s", f.where(p.g, x.v), f.where(p.g, other), no.why, at)
		}
		k, ok := clusters[p.of[l]]
		if !ok {
			again.open(l)
			clusters[p.of[l]] = again.of[l]
			continue
		}
		again.join(l, k, p.clusters[p.of[l]].rounds(l))
	}
}

// unwanted says why loop l saves nothing in cluster k, which may have it; fits if it does.
func (m *model) unwanted(p *plan, l, k int) why {
	x, c := m.loops[l], p.clusters[k]
	switch gain, late := m.gain(p, l, k), m.rounds(x.key)*m.missed(x, c); {
	case gain < 0 && late > m.scalar(l, k, p):
		return askedLate
	case gain < 0:
		return scalar
	case gain == 0:
		return nothingShared
	}
	return fits
}

// where names the line of an op. A loop that a rule made has none of its own: then it is that of
// what stands in it, or of what uses it.
func (f *fused) where(g *ir.Graph, v ir.Value) string {
	if !f.ctx.Reports() {
		return ""
	}
	var near []ir.Value
	for _, r := range g.Regions(v) {
		near = append(near, g.Members(r)...)
	}
	for _, u := range g.NodeOf(v).Users() {
		near = append(near, u.Old())
	}
	for _, w := range append([]ir.Value{v}, near...) {
		if len(g.LocsOf(w)) > 0 {
			return f.ctx.Where(g, w)
		}
	}
	return f.ctx.Where(g, v)
}

// say makes a remark, once.
func (f *fused) say(format string, args ...any) {
	if !f.ctx.Reports() {
		return
	}
	if text := fmt.Sprintf(format, args...); !f.said[text] {
		f.said[text] = true
		f.ctx.Remark("%s", text)
	}
}

// maxRelated is of how many loops at most a remark tells why another one is not fused with them.
const maxRelated = 8

// related lists loops before l with which it might be fused: what it uses, and the first of
// each cluster over its size.
func (p *plan) related(l int) (out []int) {
	m := p.loops[l]
	out = slices.AppendSeq(slices.Collect(maps.Keys(m.reads)), maps.Keys(m.whole))
	for _, k := range p.partners(l) {
		out = append(out, p.clusters[k].members[0])
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxRelated)]
}
