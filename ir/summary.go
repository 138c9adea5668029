package ir

// CallEffects is the discardable attribute of a call that says what its callee
// does, one of the words below; without it the callee may do anything. It is
// written by a pass that looks at bodies, or by someone who knows.
const CallEffects = "irc.effects"

// What a callee does at most.
const (
	CallPure    = "pure"    // gives the same for the same operands, and always returns
	CallPartial = "partial" // the same, but it may trap or not return
	CallReads   = "reads"   // also reads memory, but writes nothing
)

// Summary is the word for what running a graph does to the world outside of it, as
// CallEffects, or "".
func (g *Graph) Summary() string {
	root := &g.regions[Root]
	if g.verbatim || root.allocates || !root.hasBlock {
		return ""
	}
	reads := false
	for _, e := range root.effects {
		if e.Writes() {
			return ""
		}
		reads = true
	}
	switch {
	case reads:
		return CallReads
	case root.partial:
		return CallPartial
	}
	return CallPure
}

// WritesOutside reports that a graph certainly writes what lies outside of it: more
// than by ops of which nothing is known.
func (g *Graph) WritesOutside() bool {
	for _, e := range g.regions[Root].effects {
		if e.Writes() && e.On != World {
			return true
		}
	}
	return false
}
