package kit

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// WordBytes is how many bytes of a string are looked at at once.
const WordBytes = 8

// A Reader reads words out of bytes, by way of memory on the stack: bytes need not be
// aligned as words are. LLVM makes one load of it.
type Reader struct{ word, half buffer }

// buffer is memory on the stack as bytes and as a number.
type buffer struct {
	bytes, number ir.Value
	size          int64
}

// NewReader makes a reader. It is to stand outside of loops that carry memory, an
// iteration of which would reserve its own.
func (k Kit) NewReader() Reader {
	return Reader{k.newBuffer(ir.I64, WordBytes), k.newBuffer(ir.I32, WordBytes/2)}
}

func (k Kit) newBuffer(of ir.Type, size int64) buffer {
	c := k.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "alignment", Value: c.IntAttr(size, ir.I64)}}, nil)
	bytes := k.Must(ir.Call{Def: memref.Alloca, Attr: attr, Type: c.MemRef([]int64{size}, ir.I8)})
	return buffer{bytes, k.Must(ir.Call{Def: memref.View, Args: []ir.Value{bytes, k.Index(0)}, Type: c.MemRef([]int64{1}, of)}), size}
}

// read is the number that lies from one on, the first byte in its low bits.
func (b buffer) read(k Kit, bytes, from ir.Value) ir.Value {
	k.Op(memref.Copy, k.Must(ir.Call{Def: memref.View, Args: []ir.Value{bytes, from}, Type: k.Ctx().MemRef([]int64{b.size}, ir.I8)}), b.bytes)
	return k.Widen(k.Load(b.number, k.Index(0)), ir.I64)
}

// Slice is n bytes from one on, as an array.
func (k Kit) Slice(bytes, from, n ir.Value) ir.Value {
	return k.Must(ir.Call{Def: memref.View, Args: []ir.Value{bytes, from, n}, Type: k.Array(ir.I8)})
}

// CopyBytes copies n bytes.
func (k Kit) CopyBytes(from, at, to, start, n ir.Value) {
	k.Op(memref.Copy, k.Slice(from, at, n), k.Slice(to, start, n))
}

// Word is n bytes, one to eight, from one on: an i64, the first byte in its low bits, with
// zeros above. It may read the bytes behind, as long as there are some.
func (r Reader) Word(k Kit, bytes, from, n ir.Value) ir.Value {
	all := k.Is(arith.SLE, k.Add(from, k.Index(WordBytes)), k.Len(bytes))
	return k.Where(all, func() ir.Value { return r.masked(k, bytes, from, n) }, func() ir.Value { return r.slowWord(k, bytes, from, n) })
}

// Ends are two words that tell, with its length, all of a string of up to EndBytes, and of a
// longer one that many bytes: its first and its last word, which overlap in a short one. In
// those of less than a word its halves do, and its single bytes.
func (r Reader) Ends(k Kit, text []ir.Value) []ir.Value {
	bytes, from, n := text[0], text[1], text[2]
	end := k.Add(from, n)
	ends := func(b buffer) func() []ir.Value {
		return func() []ir.Value {
			return []ir.Value{b.read(k, bytes, from), b.read(k, bytes, k.Sub(end, k.Index(b.size)))}
		}
	}
	zero := k.Int(ir.I64, 0)
	return k.If(k.Less(n, k.Index(WordBytes)), func() []ir.Value {
		return k.If(k.Less(n, k.Index(WordBytes/2)), func() []ir.Value {
			return k.If(k.Less(k.Index(0), n), func() []ir.Value {
				one := func(at ir.Value, shift int64) ir.Value {
					return k.Shl(k.Widen(k.Load(bytes, at), ir.I64), k.Int(ir.I64, shift))
				}
				middle := k.Add(from, k.Shr(n, k.Index(1)))
				return []ir.Value{k.Or(k.Or(one(from, 16), one(middle, 8)), one(k.Last(end), 0)), zero}
			}, func() []ir.Value { return []ir.Value{zero, zero} })
		}, ends(r.half))
	}, ends(r.word))
}

// EndBytes is how many bytes Ends may tell.
const EndBytes = 2 * WordBytes

// Inner carries values over the words between the two of Ends; the last may overlap the last of
// Ends.
func (r Reader) Inner(k Kit, text, inits []ir.Value, body func(word ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	step := k.Index(WordBytes)
	return k.ForStep(step, k.Sub(text[2], step), step, inits, func(at ir.Value, carried []ir.Value) []ir.Value {
		return body(r.word.read(k, text[0], k.Add(text[1], at)), carried)
	})
}

// masked is the first n bytes, up to eight, of those that lie from one on.
func (r Reader) masked(k Kit, bytes, from, n ir.Value) ir.Value {
	half := k.Widen(k.Shl(n, k.Index(2)), ir.I64) // bits, in two steps: a shift by all is none
	mask := k.inverse(k.Shl(k.Shl(k.Int(ir.I64, -1), half), half))
	return k.And(r.word.read(k, bytes, from), mask)
}

// inverse is ^x.
func (k Kit) inverse(x ir.Value) ir.Value { return k.Xor(x, k.Like(x, -1)) }

// slowWord is Word at the end of memory, of no bytes too.
func (r Reader) slowWord(k Kit, bytes, from, n ir.Value) ir.Value {
	k.Store(k.Int(ir.I64, 0), r.word.number, k.Index(0))
	from = k.Choose(k.IsZero(n), n, from) // which may be out of bounds
	k.CopyBytes(bytes, from, r.word.bytes, k.Index(0), n)
	return k.Load(r.word.number, k.Index(0))
}

// SameInner compares the bytes between Ends of two strings of one length.
func (r Reader) SameInner(k Kit, x, y []ir.Value) ir.Value {
	step := k.Index(WordBytes)
	end := k.Sub(x[2], step)
	at := k.While([]ir.Value{step}, func(s []ir.Value) ir.Value {
		word := func(text []ir.Value) ir.Value { return r.word.read(k, text[0], k.Add(text[1], s[0])) }
		return k.Where(k.Less(s[0], end), func() ir.Value { return k.Is(arith.EQ, word(x), word(y)) },
			func() ir.Value { return arith.ConstBool(k.Builder, false) })
	}, func(s []ir.Value) []ir.Value { return []ir.Value{k.Add(s[0], step)} })[0]
	return k.Not(k.Less(at, end))
}

// Swap reverses the bytes of an i64: those of a string compare as it does when its first
// byte is on top.
func (k Kit) Swap(x ir.Value) ir.Value {
	for _, s := range []struct{ by, mask int64 }{{8, 0x00ff00ff00ff00ff}, {16, 0x0000ffff0000ffff}, {32, 0x00000000ffffffff}} {
		by, mask := k.Int(ir.I64, s.by), k.Int(ir.I64, s.mask)
		x = k.Or(k.Shl(k.And(x, mask), by), k.And(k.Shr(x, by), mask))
	}
	return x
}
