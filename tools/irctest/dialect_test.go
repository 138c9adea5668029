package irctest

import "testing"

// dialectFaults are mistakes of the author of a dialect, with a word of what is said of each.
var dialectFaults = []struct{ fault, said string }{
	{"a trap that Partial does not say", "not Partial"},
	{"Commutative, which it is not", "not Commutative"},
	{"an Eval that remembers", "toy.mix is not as it is defined"},
	{"an Infer that panics", "its Infer panics"},
	{"poison that Clean denies", "poison"},
	{"a value wider than its type", "its bits are"},
	{"a fold on the wrong operand", "the folds change the meaning"},
	{"an op that is not listed", "toy.other"},
	{"a fold without its condition", "the folds change the meaning"},
	{"a fold of another op, too", "the folds change the meaning"},
	{"a cleanup with operands exchanged", "the cleanups change the meaning"},
	{"a write that is not declared", "writes the memory of operand 1"},
	{"a read that is not declared", "reads the memory of operand 0"},
	{"a write of the wrong operand", "writes the memory of operand 1"},
	{"output that is not declared", "it prints"},
	{"a rule with operands exchanged", "the lowering changes the meaning"},
	{"a rule that is found to be wrong", "'toy.mix' op is rewritten wrongly"},
	{"a rule that may overflow", "the lowering changes the meaning"},
	{"a rule that rounds another way", "the lowering changes the meaning"},
	{"two tables of one kind", "lower.Table"},
	{"a format without attributes", "attr-dict is missing"},
}

func TestDialectFaults(t *testing.T) {
	for _, f := range dialectFaults {
		t.Run(f.fault, func(t *testing.T) {
			r := &recorder{TB: t}
			r.do(func() { Config{Programs: 1000}.Dialect(r, toy(f.fault)) })
			r.wants(t, f.said)
		})
	}
}

func TestToy(t *testing.T) { Config{}.Dialect(t, toy("")) }
