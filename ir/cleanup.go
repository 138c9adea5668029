package ir

// A Cleanup is a normalising rule that needs to know who uses an op, which a fold cannot:
// what is built has no users yet. It runs where a graph is rebuilt to be cleaned up (the pass
// canonicalize and others), and asks the old graph: Node.Users, Node.UsedResults, Uses. It
// returns what stands for the op, or 0. Rule says in a line what it does.
type Cleanup struct {
	Of   *OpDef
	Rule string
	Do   func(m *Mirror, n Node) Value
}

// Cleanups are the dialects' rules of that kind, for a Rewrite. Of several for one op those
// of the lower dialect are asked first, and of one dialect the first.
func (c *Context) Cleanups() Rules { return c.cleanups }

func (c *Context) addCleanups(d *Dialect) {
	for _, x := range d.Cleanups {
		if c.cleanups == nil {
			c.cleanups = Rules{}
		}
		before := c.cleanups[x.Of]
		c.cleanups[x.Of] = func(m *Mirror, n Node) Value {
			if before != nil {
				if v := before(m, n); v != 0 {
					return v
				}
			}
			v := x.Do(m, n)
			if v != 0 {
				m.B.fired(x.Rule, n.g.loc(n.v), v)
			}
			return v
		}
	}
}
