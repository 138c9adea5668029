package ir

import (
	"math/rand/v2"
	"testing"
)

// byteSource takes the choices of a program from bytes, one for each, and when
// they are used up from a fixed sequence.
type byteSource struct {
	data []byte
	rest *rand.PCG
}

func (s *byteSource) Uint64() uint64 {
	if len(s.data) == 0 {
		return s.rest.Uint64()
	}
	b := s.data[0]
	s.data = s.data[1:]
	return uint64(b) * 0x0101010101010101
}

func choices(data []byte) *rand.Rand { return rand.New(&byteSource{data, rand.NewPCG(1, 1)}) }

func addBytes(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 8; n <= 256; n *= 2 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(b)
	}
	f.Add([]byte{})
}

// Any sequence of right calls gives a graph that is right, and that means the
// same as the calls one after the other: built, rebuilt, and placed anywhere.
func FuzzBuilder(f *testing.F) {
	addBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		size, depth := 20+len(data)%60, 5
		if len(data) > 0 && data[0] == 255 {
			size, depth = 200, 70
		}
		means(t, "bytes", 1, func(opts ...Option) *Graph { return writeProgram(choices(data), size, depth, opts...) })
	})
}

// Any calls at all, with operands that are not there or not visible, end in
// errors or in a graph that is right.
func FuzzBuilderCalls(f *testing.F) {
	addBytes(f)
	defs := []struct {
		def  *OpDef
		args int
		typ  Type
	}{{tAdd, 2, NoType}, {tDiv, 2, NoType}, {tPure, 2, NoType}, {tPrint, 1, NoType}, {tAlloc, 0, NoType}, {tLoad, 1, NoType}, {tStore, 2, NoType}, {tYield, 1, NoType}, {tYield, 0, NoType}}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range [][]Option{nil, {Verbatim}} {
			r := choices(data)
			b := NewBuilder(NewContext(tDialect, tTotal), opts...)
			b.Param(I64)
			closed := []Region{}
			// anything of the right kind (these ops do not check that), or not there
			anything := func(number bool) Value {
				v := Value(r.IntN(b.Graph().Len() + 2))
				if v > 0 && int(v) < b.Graph().Len() && (b.Graph().Type(v) == I64) != number {
					return Value(b.Graph().Len())
				}
				return v
			}
			for range min(len(data), 200) {
				switch k := r.IntN(16); {
				case k == 0 && b.Depth() < 80:
					b.Open([]RegionKind{Once, Branch, Loop, Barrier, Lambda}[r.IntN(5)], I64)
				case k == 1 && b.Depth() > 0:
					closed = append(closed, b.Close())
				case k == 2 && len(closed) > 0: // an op of the last region, which stands where it was closed
					body := closed[len(closed)-1]
					closed = closed[:len(closed)-1]
					if _, err := b.Make(Call{Def: tHide, Regions: []Region{body}, Type: I64}); err == nil {
						closed = closed[:0] // the others were closed elsewhere
					}
				case k == 3:
					b.Result(1, 0)
				default:
					d := defs[r.IntN(len(defs))]
					c := Call{Def: d.def, Type: d.typ}
					for i := range d.args {
						c.Args = append(c.Args, anything(d.def != tLoad && (d.def != tStore || i == 0)))
					}
					if _, err := b.Make(c); err != nil && err.Error() == "" {
						t.Error("an error that says nothing")
					}
				}
			}
			for b.Depth() > 0 {
				b.Close()
			}
			if err := Verify(b.Finish()); err != nil {
				t.Fatal(err)
			}
		}
	})
}
