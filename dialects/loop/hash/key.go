package hash

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// key is a key on its way into a table.
type key struct {
	parts [][]ir.Value // of each component: a number, or of a string its three values and, if tagged, kit.Reader.Head
	word  ir.Value     // i64 that is equal where keys are; 0 if tagged
	hash  ir.Value     // i64: its top bits give a place
	mark  ir.Value     // i64: what word 0 of its row holds; not 0, unless dense
}

// width is how many bits a key has, if all its components are numbers.
func (t *Table) width(k kit.Kit) (bits int, numbers bool) {
	for _, kind := range t.Kinds {
		if kind.IsString() {
			return 0, false
		}
		bits += kind.Bits(k.Ctx())
	}
	return bits, true
}

// key makes a key of the values of its components.
func (t *Table) key(k kit.Kit, vals []ir.Value) key {
	x := key{parts: kit.Split(t.Kinds, vals)}
	for i, kind := range t.Kinds {
		if !kind.IsString() {
			x.parts[i] = []ir.Value{k.Canonical(x.parts[i][0])}
		}
	}
	if t.shape != tagged {
		x.word = t.one(k, x.parts)
		x.hash, x.mark = mix(k, x.word), x.word
		if t.shape == exact {
			x.mark = k.Choose(k.IsZero(x.word), k.Int(ir.I64, 1), x.word)
		}
		return x
	}
	x.hash = k.Int(ir.I64, 0)
	for i, kind := range t.Kinds {
		if kind.IsString() {
			x.parts[i] = slices.Concat(x.parts[i], t.reader.Head(k, x.parts[i]))
			x.hash = t.mixText(k, x.hash, x.parts[i])
		} else {
			x.hash = mix(k, k.Xor(x.hash, k.Widen(k.Bits(x.parts[i][0]), ir.I64)))
		}
	}
	x.mark = k.Or(x.hash, k.Int(ir.I64, 1))
	return x
}

// one is a key as one number of 64 bits.
func (t *Table) one(k kit.Kit, parts [][]ir.Value) ir.Value {
	switch {
	case len(parts) > 1:
		return t.pack(k, parts)
	case t.shape == dense:
		return k.WidenSigned(k.Bits(parts[0][0]), ir.I64)
	}
	return k.Widen(k.Bits(parts[0][0]), ir.I64)
}

// pack makes one number of the components, the first in its low bits.
func (t *Table) pack(k kit.Kit, parts [][]ir.Value) ir.Value {
	word, at := k.Int(ir.I64, 0), 0
	for i, p := range parts {
		word = k.Or(word, k.Shl(k.Widen(k.Bits(p[0]), ir.I64), k.Int(ir.I64, int64(at))))
		at += t.Kinds[i].Bits(k.Ctx())
	}
	return word
}

// mix spreads keys over the top bits: a product with an odd number takes all bits below
// there, and before it the top half goes into the lower. The number is that of some
// twenty for which keys in a row, multiples of powers of two and floats collide least.
func mix(k kit.Kit, word ir.Value) ir.Value {
	x := k.Xor(word, k.Shr(word, k.Int(ir.I64, 32)))
	return k.Mul(x, k.Int(ir.I64, -0x5f89e29b87429bd1))
}

// same compares a key with that of a row: all that is in the row at once, and then the rest
// of strings that are longer.
func (t *Table) same(k kit.Kit, x key, row ir.Value) ir.Value {
	all, at := arith.ConstBool(k.Builder, true), 1
	for i, kind := range t.Kinds {
		p := x.parts[i]
		if kind.IsString() {
			all = k.And(all, t.sameHead(k, row, at, p))
		} else {
			all = k.And(all, k.Is(arith.EQ, t.word(k, row, at), k.Widen(k.Bits(p[0]), ir.I64)))
		}
		at += words(kind)
	}
	at = 1
	for i, kind := range t.Kinds {
		if p := x.parts[i]; kind.IsString() {
			all = k.Where(k.And(all, k.Less(k.Index(headBytes), p[2])), func() ir.Value { return t.sameRest(k, row, at, i, p) }, func() ir.Value { return all })
		}
		at += words(kind)
	}
	return all
}

// setKey writes the components of a key to a new row.
func (t *Table) setKey(k kit.Kit, x key, row ir.Value) {
	at := 1
	for i, kind := range t.Kinds {
		if kind.IsString() {
			t.setText(k, row, at, i, x.parts[i])
		} else {
			t.setCell(k, row, at, x.parts[i][0])
		}
		at += words(kind)
	}
}

// Keys are the arrays of each component of the keys, by group, in memory that alloc makes: of
// strings two, where each begins and the last ends, and the bytes.
func (t Table) Keys(b *ir.Builder, alloc Alloc) (out []ir.Value) {
	k := kit.Kit{Builder: b}
	if t.shape != tagged {
		return t.unpacked(k, alloc)
	}
	at := 1
	for i, kind := range t.Kinds {
		if kind.IsString() {
			out = append(out, t.textKeys(k, at, i, alloc)...)
		} else {
			out = append(out, t.column(k, kind.Type(), alloc, func(row ir.Value) ir.Value { return t.cell(k, row, at, kind.Type()) }))
		}
		at += words(kind)
	}
	return out
}

// unpacked are the arrays of components that are in one number.
func (t *Table) unpacked(k kit.Kit, alloc Alloc) (out []ir.Value) {
	at := 0
	for _, kind := range t.Kinds {
		shift := k.Int(ir.I64, int64(at))
		out = append(out, t.column(k, kind.Type(), alloc, func(row ir.Value) ir.Value {
			word := t.word(k, row, 0)
			if t.shape == exact {
				word = k.Choose(k.Is(arith.EQ, row, t.zeroRow(k)), k.Int(ir.I64, 0), word)
			}
			return k.FromBits(k.Widen(k.Shr(word, shift), k.Ctx().Int(kind.Bits(k.Ctx()))), kind.Type())
		}))
		at += kind.Bits(k.Ctx())
	}
	return out
}
