// Package hash builds tables from keys to groups: dense numbers in the order of first
// appearance. It makes ops of arith, scf and memref, for the rules that lower buckets.
//
// A Table is a Go value that holds what a loop carries: State lists it, With takes the
// list as the loop hands it on. Reserve makes room for groups to come; Insert gives the row of a
// key's group, a new one if need be; Find looks only, and Prefetch asks for the row of a key that
// comes later. A row holds the key and Values, in which the caller keeps what belongs to a group.
//
//	t := hash.New(b, hash.Options{Kinds: []kit.Kind{kit.Scalar(ir.I64)}, Values: []ir.Value{zero}})
//	out := k.For(lo, n, t.State(), func(i ir.Value, s []ir.Value) []ir.Value {
//		t := t.With(s).Reserve(b)
//		row, _, t := t.Insert(b, t.Keys.Of(b, []ir.Value{k.Load(keys, i)}))
//		t.SetValue(b, 0, row, k.Add(t.Value(b, 0, row), x))
//		return t.State()
//	})
//	t = t.With(out)
//	keys, sums := t.Columns(b, k.Alloc)
//	t.Free(b)
//
// Insert does not grow: between two Reserves only the number of groups changes, so that a loop
// over a batch of keys, which reserves for all of them, has nothing else to carry.
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
// looked at and none is hashed again, and strings their ends: short ones are compared
// without another access to memory.
//
// Keys of 16 bits and fewer have a slot each. Where there are many groups, the range of integer keys is
// inspected. If it is not much larger, each number of the range gets a row: the code is the same, with
// another factor and another shift.
package hash
