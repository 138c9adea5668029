package hash

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// A Key is a key on its way into a table.
type Key struct {
	parts [][]ir.Value // of each component: a number, or of a string its three values and, if tagged, kit.Reader.Ends
	word  ir.Value     // i64 that is equal where keys are; 0 if tagged
	mark  ir.Value     // i64: what word 0 of its row holds; not 0, unless dense
}

// Keys is how the keys of a table become words, which are compared, kept and hashed. It knows no group.
type Keys struct {
	kinds  []kit.Kind
	shape  shape
	reader kit.Reader // if there are strings
}

// width is how many bits a key has, if all its components are numbers.
func (ks *Keys) width(k kit.Kit) (bits int, numbers bool) {
	for _, kind := range ks.kinds {
		if kind.IsString() {
			return 0, false
		}
		bits += kind.Bits(k.Ctx())
	}
	return bits, true
}

// Of makes a key of the values of its components.
func (ks *Keys) Of(b *ir.Builder, vals []ir.Value) Key {
	k := kit.Kit{Builder: b}
	x := ks.parts(k, vals)
	if ks.shape != tagged {
		x.word = ks.one(k, x.parts)
		x.mark = x.word
		if ks.shape == exact {
			x.mark = k.Choose(k.IsZero(x.word), k.Int(ir.I64, 1), x.word)
		}
		return x
	}
	hash := k.Int(ir.I64, 0)
	for i, kind := range ks.kinds {
		if kind.IsString() {
			x.parts[i] = slices.Concat(x.parts[i], ks.reader.Ends(k, x.parts[i]))
			hash = ks.mixText(k, hash, x.parts[i])
		} else {
			hash = mix(k, k.Xor(hash, k.Widen(k.Bits(x.parts[i][0]), ir.I64)))
		}
	}
	x.mark = k.Or(hash, k.Int(ir.I64, 1))
	return x
}

// parts deals values out to components.
func (ks *Keys) parts(k kit.Kit, vals []ir.Value) Key {
	x := Key{parts: kit.Split(ks.kinds, vals)}
	for i, kind := range ks.kinds {
		if !kind.IsString() {
			x.parts[i] = []ir.Value{k.Canonical(x.parts[i][0])}
		}
	}
	return x
}

// SavedWords is how many words of 64 bits Save takes for a key; 0 if a key is made again at
// once.
func (ks *Keys) SavedWords() int {
	if ks.shape != tagged {
		return 0
	}
	n := 1
	for _, kind := range ks.kinds {
		if kind.IsString() {
			n += 2
		}
	}
	return n
}

// Save keeps what it took time to make of a key, in words from one on.
func (ks *Keys) Save(b *ir.Builder, x Key, words, at ir.Value) {
	k := kit.Kit{Builder: b}
	ks.saved(k, &x, func(v *ir.Value) { k.Store(*v, words, at); at = k.Next(at) })
}

// Saved is the key of values for which it was kept.
func (ks *Keys) Saved(b *ir.Builder, vals []ir.Value, words, at ir.Value) Key {
	k := kit.Kit{Builder: b}
	x := ks.parts(k, vals)
	for i, kind := range ks.kinds {
		if kind.IsString() {
			x.parts[i] = append(slices.Clone(x.parts[i]), 0, 0)
		}
	}
	ks.saved(k, &x, func(v *ir.Value) { *v = k.Load(words, at); at = k.Next(at) })
	return x
}

// saved visits what is kept of a key.
func (ks *Keys) saved(k kit.Kit, x *Key, visit func(v *ir.Value)) {
	visit(&x.mark)
	for i, kind := range ks.kinds {
		if kind.IsString() {
			visit(&x.parts[i][3])
			visit(&x.parts[i][4])
		}
	}
}

// one is a key as one number of 64 bits.
func (ks *Keys) one(k kit.Kit, parts [][]ir.Value) ir.Value {
	switch {
	case len(parts) > 1:
		return ks.pack(k, parts)
	case ks.shape == exact:
		return k.WidenSigned(k.Bits(parts[0][0]), ir.I64)
	}
	return k.Widen(k.Bits(parts[0][0]), ir.I64)
}

// pack makes one number of the components, the first in its low bits.
func (ks *Keys) pack(k kit.Kit, parts [][]ir.Value) ir.Value {
	word, at := k.Int(ir.I64, 0), 0
	for i, p := range parts {
		word = k.Or(word, k.Shl(k.Widen(k.Bits(p[0]), ir.I64), k.Int(ir.I64, int64(at))))
		at += ks.kinds[i].Bits(k.Ctx())
	}
	return word
}

// mix is a hash of a number that others go into: before the product the top half goes into the lower.
func mix(k kit.Kit, word ir.Value) ir.Value {
	return k.Mul(k.Xor(word, k.Shr(word, k.Int(ir.I64, 32))), k.Int(ir.I64, hashFactor))
}

// same compares a key with that of a row: all that is in the row at once, and then the rest
// of strings that are longer.
func (t *Table) same(k kit.Kit, x Key, row ir.Value) ir.Value {
	all, at := arith.ConstBool(k.Builder, true), 1
	for i, kind := range t.Kinds {
		p := x.parts[i]
		if kind.IsString() {
			all = k.And(all, t.sameEnds(k, row, at, p))
		} else {
			all = k.And(all, k.Is(arith.EQ, t.rows.word(k, row, at), k.Widen(k.Bits(p[0]), ir.I64)))
		}
		at += words(kind)
	}
	at = 1
	for i, kind := range t.Kinds {
		if p := x.parts[i]; kind.IsString() {
			all = k.Where(k.And(all, k.Less(k.Index(kit.EndBytes), p[2])), func() ir.Value { return t.sameInner(k, row, at, i, p) }, func() ir.Value { return all })
		}
		at += words(kind)
	}
	return all
}

// setKey writes the components of a key to a new row.
func (t *Table) setKey(k kit.Kit, x Key, row ir.Value) {
	at := 1
	for i, kind := range t.Kinds {
		if kind.IsString() {
			t.setText(k, row, at, i, x.parts[i])
		} else {
			t.rows.setCell(k, row, at, x.parts[i][0])
		}
		at += words(kind)
	}
}
