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
type Reader struct{ bytes, word ir.Value }

// NewReader makes a reader. It is to stand outside of loops that carry memory, an
// iteration of which would reserve its own.
func (k Kit) NewReader() Reader {
	c := k.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "alignment", Value: c.IntAttr(WordBytes, ir.I64)}}, nil)
	bytes := k.Must(ir.Call{Def: memref.Alloca, Attr: attr, Type: c.MemRef([]int64{WordBytes}, ir.I8)})
	word := k.Must(ir.Call{Def: memref.View, Args: []ir.Value{bytes, k.Index(0)}, Type: c.MemRef([]int64{1}, ir.I64)})
	return Reader{bytes, word}
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

// Head is the first 16 bytes of a string as two words like those of Word; zeros where there
// are fewer. It may read the bytes behind, as long as there are some.
func (r Reader) Head(k Kit, text []ir.Value) []ir.Value {
	word := k.Index(WordBytes)
	second := k.Add(text[1], word)
	first, rest := k.Min(text[2], word), k.Max(k.Min(k.Sub(text[2], word), word), k.Index(0))
	all := k.Is(arith.SLE, k.Add(second, word), k.Len(text[0]))
	return k.If(all, func() []ir.Value {
		return []ir.Value{r.masked(k, text[0], text[1], first), r.masked(k, text[0], second, rest)}
	}, func() []ir.Value {
		return []ir.Value{r.slowWord(k, text[0], text[1], first), r.slowWord(k, text[0], second, rest)}
	})
}

// masked is the first n bytes, up to eight, of those that lie from one on.
func (r Reader) masked(k Kit, bytes, from, n ir.Value) ir.Value {
	view := ir.Call{Def: memref.View, Args: []ir.Value{bytes, from}, Type: k.Ctx().MemRef([]int64{WordBytes}, ir.I8)}
	k.Op(memref.Copy, k.Must(view), r.bytes)
	half := k.Widen(k.Shl(n, k.Index(2)), ir.I64) // bits, in two steps: a shift by all is none
	mask := k.inverse(k.Shl(k.Shl(k.Int(ir.I64, -1), half), half))
	return k.And(k.Load(r.word, k.Index(0)), mask)
}

// inverse is ^x.
func (k Kit) inverse(x ir.Value) ir.Value { return k.Xor(x, k.Like(x, -1)) }

// slowWord is Word at the end of memory, of no bytes too.
func (r Reader) slowWord(k Kit, bytes, from, n ir.Value) ir.Value {
	k.Store(k.Int(ir.I64, 0), r.word, k.Index(0))
	from = k.Choose(k.IsZero(n), n, from) // which may be out of bounds
	k.CopyBytes(bytes, from, r.bytes, k.Index(0), n)
	return k.Load(r.word, k.Index(0))
}

// SameText compares the bytes of two strings of one length.
func (r Reader) SameText(k Kit, x, y []ir.Value, length ir.Value) ir.Value {
	s := k.Until([]ir.Value{k.Index(0)}, func(s []ir.Value) (ir.Value, []ir.Value) {
		left := k.Sub(length, s[0])
		more := k.Where(k.Less(k.Index(0), left), func() ir.Value {
			n := k.Min(left, k.Index(WordBytes))
			return k.Is(arith.EQ, r.Word(k, x[0], k.Add(x[1], s[0]), n), r.Word(k, y[0], k.Add(y[1], s[0]), n))
		}, func() ir.Value { return arith.ConstBool(k.Builder, false) })
		return more, []ir.Value{s[0], left}
	}, func(s []ir.Value) []ir.Value { return []ir.Value{k.Add(s[0], k.Index(WordBytes))} })
	return k.Is(arith.SLE, s[1], k.Index(0))
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
