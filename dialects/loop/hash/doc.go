// Package hash builds tables from keys to groups: dense numbers in the order of first
// appearance. It makes ops of arith, scf and memref, for the rules that lower buckets.
//
// A Table is a Go value that holds what a loop carries: State lists it, With takes the
// list as the loop hands it on. Insert gives the group of a key, a new one if need be;
// Find looks only. Memory by group grows as there are more of them: that of the keys,
// and that of Values, in which the caller keeps what belongs to a group.
//
//	t := hash.New(b, hash.Options{Kinds: []kit.Kind{kit.Scalar(ir.I64)}, Values: []ir.Value{zero}})
//	out := k.For(lo, n, t.State(), func(i ir.Value, s []ir.Value) []ir.Value {
//		group, _, t := t.With(s).Insert(b, []ir.Value{k.Load(keys, i)}, nil)
//		t.SetValue(b, 0, group, k.Add(t.Value(b, 0, group), x))
//		return t.State()
//	})
//	t = t.With(out)
//	keys, sums := t.Keys(b, k.Alloc)[0], t.Take(b, 0, k.Alloc)
//	t.Free(b)
//
// # How
//
// Open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3,
// section 6.4, algorithm L) in slots that hold a group, counted from 1, so that zeroed
// memory is empty. A key's place is given by the top bits of a product, so keys that are
// close are seldom at one place. At most a quarter of the slots are taken, which costs a
// group 16 bytes at most twice over and was measured to be the fastest: a wrong slot is a
// branch that is not foreseen. When the memory by group is full it doubles, and the slots
// with it: all growth together costs time linear in the number of groups.
//
// A key of several components that have 64 bits at most is packed into one number. Larger
// ones, and strings, have the top half of their hash beside the group in the slot: others
// than those wanted are seldom looked at, and none is hashed again.
//
// Where the range of an integer key is known and small, Dense is a table with a slot for
// each number in it: Range finds one when a program runs, and DensePays says whether it is
// small enough. Keys of 16 bits and fewer always have such a table.
package hash
