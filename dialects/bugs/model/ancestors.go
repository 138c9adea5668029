package model

// ObservedAncestors says which instances of statements have an observed descendant or are
// observed themselves.
type ObservedAncestors struct {
	All  []bool   // by Statement.Index: every instance
	Some [][]bool // the instances of others; nil for none
}

func (l *ObservedAncestors) Element(by Origin) bool { return l.Instance(int(by.Stmt)-1, int(by.Iter)) }

func (l *ObservedAncestors) Instance(stmt, iter int) bool {
	return l.All[stmt] || l.Some[stmt] != nil && l.Some[stmt][iter]
}
