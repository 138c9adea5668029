package order

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// sorter makes the ops of one sort.
type sorter struct {
	kit.Kit
	n      ir.Value
	reader kit.Reader // if there are strings
}

// pairs are rows in an order that is under way, and with each a number.
type pairs struct{ words, rows ir.Value }

// Sort gives the rows 0 <= i < n in the order of their keys, the first key first, as
// memref<?xindex> of n elements, which is the caller's to free.
func Sort(b *ir.Builder, n ir.Value, keys ...Key) ir.Value {
	return sorted(b, n, func(i ir.Value) ir.Value { return i }, keys)
}

// sorted is Sort of n rows, of which row gives the i-th.
func sorted(b *ir.Builder, n ir.Value, row func(i ir.Value) ir.Value, keys []Key) ir.Value {
	s := sorter{Kit: kit.Kit{Builder: b}, n: n}
	a, spare := s.pairs(), s.pairs()
	s.Each(s.Index(0), n, func(i ir.Value) { s.Store(row(i), a.rows, i) })
	if slices.ContainsFunc(keys, func(k Key) bool { return k.Kind.IsString() }) {
		s.reader = s.NewReader()
		s.read(a, keys[0])
		a, spare = s.mergeSort(a, spare, keys)
	} else {
		for _, key := range slices.Backward(keys) {
			s.read(a, key)
			a, spare = s.radixSort(a, spare, digitsOf(s.Kit, key))
		}
	}
	s.Free(a.words, spare.words, spare.rows)
	return a.rows
}

func (s sorter) pairs() pairs { return pairs{s.Alloc(ir.I64, s.n), s.Alloc(ir.Index, s.n)} }

// read makes the numbers of a key, of the rows as they are.
func (s sorter) read(a pairs, key Key) {
	s.Each(s.Index(0), s.n, func(i ir.Value) { s.Store(s.word(key, s.Load(a.rows, i)), a.words, i) })
}

func (s sorter) load(p pairs, i ir.Value) (word, row ir.Value) {
	return s.Load(p.words, i), s.Load(p.rows, i)
}

func (s sorter) store(word, row ir.Value, p pairs, i ir.Value) {
	s.Store(word, p.words, i)
	s.Store(row, p.rows, i)
}

// both lists what a loop carries of two.
func both(a, b pairs) []ir.Value { return []ir.Value{a.words, a.rows, b.words, b.rows} }

func split(v []ir.Value) (a, b pairs) { return pairs{v[0], v[1]}, pairs{v[2], v[3]} }
