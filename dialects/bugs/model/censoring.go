package model

// An observed node dinterval(t, cut[]) says between which of the cuts t lies: it is how
// JAGS writes censoring. So the cuts limit t where t gets a value: its transform, its
// starting value, and a draw of it. The density knows them by the dinterval's factor.

// A Censoring is an observed node of a dinterval.
type Censoring struct {
	Stmt    *Statement
	Iter, K int // the instance, and its element
}
