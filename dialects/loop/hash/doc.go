// Package hash builds tables from keys to groups: dense numbers in the order of first
// appearance. It makes ops of arith, scf and memref, for the rules that lower buckets.
//
// A Table is a Go value that holds what a loop carries: State lists it, With takes the
// list as the loop hands it on. Insert gives the row of a key's group, a new one if need be;
// Find looks only, and Prefetch asks for the row of a key that comes later. A row holds the
// key and Values, in which the caller keeps what belongs to a group; there are more of them
// as there are more groups.
//
//	t := hash.New(b, hash.Options{Kinds: []kit.Kind{kit.Scalar(ir.I64)}, Values: []ir.Value{zero}})
//	out := k.For(lo, n, t.State(), func(i ir.Value, s []ir.Value) []ir.Value {
//		row, _, t := t.With(s).Insert(b, []ir.Value{k.Load(keys, i)}, nil)
//		t.SetValue(b, 0, row, k.Add(t.Value(b, 0, row), x))
//		return t.State()
//	})
//	t = t.With(out)
//	keys, sums := t.Keys(b, k.Alloc)[0], t.Take(b, 0, k.Alloc)
//	t.Free(b)
//
// # How
//
// Open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3,
// section 6.4, algorithm L) in rows, of which zeroed memory is empty; an index by group says
// which row is whose. A key's place is given by the top bits of a product, so keys that are
// close are seldom at one place. At most half of the rows are taken. When they are, they
// double: all growth together costs time linear in the number of groups.
//
// A key of several components that have 64 bits at most is packed into one number. Larger
// ones, and strings, have their hash in the row, so that others than those wanted are seldom
// looked at and none is hashed again, and strings their first bytes: short ones are compared
// without another access to memory.
//
// Where the range of an integer key is known and small, Dense is a table with a slot for
// each number in it: Range finds one when a program runs, and DensePays says whether it is
// small enough. Keys of 16 bits and fewer always have such a table.
package hash
