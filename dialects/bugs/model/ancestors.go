package model

// Lives says which instances of statements have an observed descendant or are
// observed themselves.
type Lives struct {
	All  []bool   // by Statement.Index: every instance
	Some [][]bool // the instances of others; nil for none
}

func (l *Lives) Element(by Origin) bool { return l.Instance(int(by.Stmt)-1, int(by.Iter)) }

func (l *Lives) Instance(stmt, iter int) bool {
	return l.All[stmt] || l.Some[stmt] != nil && l.Some[stmt][iter]
}
