package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// key is a key on its way into a table.
type key struct {
	parts [][]ir.Value // of each column a number, or of a string its three values
	word  ir.Value     // i64 that is equal where keys are; 0 if tagged
	hash  ir.Value     // i64
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

// columns are the types of the elements of the memory of keys: of each component, or of
// all in one.
func (t *Table) columns(k kit.Kit) []ir.Type {
	if t.packed() {
		if bits, _ := t.width(k); bits <= 32 {
			return []ir.Type{ir.I32}
		}
		return []ir.Type{ir.I64}
	}
	var out []ir.Type
	for _, kind := range t.Kinds {
		if kind.IsString() {
			out = append(out, ir.Index)
		} else {
			out = append(out, kind.Type())
		}
	}
	return out
}

// packed reports several components in one number.
func (t *Table) packed() bool { return t.shape != tagged && len(t.Kinds) > 1 }

// key makes a key of the values of its components.
func (t *Table) key(k kit.Kit, vals []ir.Value) key {
	x := key{parts: kit.Split(t.Kinds, vals)}
	for i, kind := range t.Kinds {
		if !kind.IsString() {
			x.parts[i] = []ir.Value{k.Canonical(x.parts[i][0])}
		}
	}
	if t.packed() {
		x.parts = [][]ir.Value{{k.Widen(t.pack(k, x.parts), t.columns(k)[0])}}
	}
	if t.shape != tagged {
		x.word = t.word(k, x.parts[0][0])
		x.hash = mix(k, x.word)
		return x
	}
	x.hash = k.Int(ir.I64, 0)
	for i, kind := range t.Kinds {
		if kind.IsString() {
			x.hash = t.mixText(k, x.hash, x.parts[i])
		} else {
			x.hash = mix(k, k.Xor(x.hash, k.Widen(k.Bits(x.parts[i][0]), ir.I64)))
		}
	}
	x.hash = mix(k, x.hash)
	return x
}

// word is what a column holds as a number of 64 bits.
func (t *Table) word(k kit.Kit, part ir.Value) ir.Value {
	if t.shape == dense && !t.packed() {
		return k.WidenSigned(k.Bits(part), ir.I64)
	}
	return k.Widen(k.Bits(part), ir.I64)
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

// same compares a key with that of a group: all numbers at once, and strings one after
// the other where all before are equal.
func (t *Table) same(k kit.Kit, x key, group ir.Value) ir.Value {
	all, texts := arith.ConstBool(k.Builder, true), 0
	for i, p := range x.parts {
		if len(p) == 1 {
			all = k.And(all, k.Same(t.cell(k, group, i, t.columns(k)[i]), p[0]))
		}
	}
	for i, p := range x.parts {
		if len(p) > 1 {
			s := texts
			texts++
			all = k.Where(all, func() ir.Value { return t.sameText(k, t.text(k, i, s, group), p) }, func() ir.Value { return all })
		}
	}
	return all
}

// Keys are the arrays of each component of the keys, by group, in memory that alloc makes: of
// strings two, where each begins and the last ends, and the bytes.
func (t Table) Keys(b *ir.Builder, alloc Alloc) (out []ir.Value) {
	k := kit.Kit{Builder: b}
	if t.packed() {
		return t.unpacked(k, alloc)
	}
	texts := t.bytes
	for i, kind := range t.Kinds {
		if !kind.IsString() {
			out = append(out, t.column(k, i, kind.Type(), t.count, alloc))
			continue
		}
		n := t.cell(k, t.count, i, ir.Index)
		bytes := alloc(ir.I8, n)
		k.CopyBytes(texts[0], k.Index(0), bytes, k.Index(0), n)
		out = append(out, t.column(k, i, ir.Index, k.Next(t.count), alloc), bytes)
		texts = texts[1:]
	}
	return out
}

// unpacked are the arrays of components that are packed into one number.
func (t *Table) unpacked(k kit.Kit, alloc Alloc) (out []ir.Value) {
	word, at := t.columns(k)[0], 0
	for _, kind := range t.Kinds {
		mem, shift := alloc(kind.Type(), t.count), k.Like(k.Int(word, 0), int64(at))
		k.Each(k.Index(0), t.count, func(g ir.Value) {
			bits := k.Shr(t.cell(k, g, 0, word), shift)
			k.Store(k.FromBits(k.Widen(bits, k.Ctx().Int(kind.Bits(k.Ctx()))), kind.Type()), mem, g)
		})
		out = append(out, mem)
		at += kind.Bits(k.Ctx())
	}
	return out
}
