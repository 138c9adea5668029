package arith_test

import (
	gomath "math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// eval runs the Eval of an op on scalars; to is the result type of casts.
func eval(t *testing.T, c *ir.Context, d *ir.OpDef, attr ir.Attr, to ir.Type, types []ir.Type, x ...ir.Val) (ir.Val, error) {
	t.Helper()
	b := ir.NewBuilder(c, ir.Verbatim)
	args := make([]ir.Value, len(x))
	for i := range x {
		args[i] = b.Param(types[min(i, len(types)-1)])
	}
	v := b.Must(ir.Call{Def: d, Attr: attr, Args: args, Type: to})
	return d.Eval(ir.CallsOf(b.Graph()).Of(v), x)
}

// meaning is an integer op over the whole numbers: poison if it leaves the range
// that its promises name, nil where it traps.
type meaning func(x, y, ux, uy *big.Int, w int) (signed, unsigned *big.Int)

func quo(f func(z, x, y *big.Int) *big.Int, signed bool) meaning {
	return func(x, y, ux, uy *big.Int, w int) (*big.Int, *big.Int) {
		if !signed {
			x, y = ux, uy
		}
		if y.Sign() == 0 || signed && y.Cmp(big.NewInt(-1)) == 0 && x.Cmp(new(big.Int).Lsh(big.NewInt(-1), uint(w-1))) == 0 {
			return nil, nil
		}
		r := f(new(big.Int), x, y)
		return r, r
	}
}

func floorQuo(z, x, y *big.Int) *big.Int {
	m := new(big.Int)
	z.QuoRem(x, y, m)
	if m.Sign() != 0 && (m.Sign() < 0) != (y.Sign() < 0) {
		z.Sub(z, big.NewInt(1))
	}
	return z
}

func ceilQuo(z, x, y *big.Int) *big.Int { return z.Neg(floorQuo(z, new(big.Int).Neg(x), y)) }

func both(f func(z, x, y *big.Int) *big.Int) meaning {
	return func(x, y, ux, uy *big.Int, _ int) (*big.Int, *big.Int) {
		return f(new(big.Int), x, y), f(new(big.Int), ux, uy)
	}
}

var meanings = map[*ir.OpDef]meaning{
	arith.Addi: both((*big.Int).Add), arith.Subi: both((*big.Int).Sub), arith.Muli: both((*big.Int).Mul),
	arith.Andi: both((*big.Int).And), arith.Ori: both((*big.Int).Or), arith.Xori: both((*big.Int).Xor),
	arith.Divsi: quo((*big.Int).Quo, true), arith.Divui: quo((*big.Int).Quo, false),
	arith.Remsi: quo((*big.Int).Rem, true), arith.Remui: quo((*big.Int).Rem, false),
	arith.Floordivsi: quo(floorQuo, true), arith.Ceildivsi: quo(ceilQuo, true), arith.Ceildivui: quo(ceilQuo, false),
	arith.Shli: func(x, y, ux, uy *big.Int, w int) (*big.Int, *big.Int) {
		return new(big.Int).Lsh(x, uint(uy.Uint64())), new(big.Int).Lsh(ux, uint(uy.Uint64()))
	},
}

func wraps(n *big.Int, w int, signed bool) bool {
	if signed {
		return n.Cmp(new(big.Int).Lsh(big.NewInt(-1), uint(w-1))) < 0 || n.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(w-1))) >= 0
	}
	return n.Sign() < 0 || n.BitLen() > w
}

func TestIntegers(t *testing.T) {
	c := ir.NewContext(arith.Dialect)
	r := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		w := []int{1, 7, 8, 32, 33, 64}[r.IntN(6)]
		typ := c.Int(w)
		number := func() uint64 {
			m := ^uint64(0) >> (64 - w)
			return []uint64{0, 1, m, 1 << (w - 1), m >> 1, r.Uint64() & m, r.Uint64() & m, 3 & m}[r.IntN(8)]
		}
		xb, yb := number(), number()
		for d, f := range meanings {
			if d == arith.Shli && yb >= uint64(w) {
				if got, _ := eval(t, c, d, 0, 0, []ir.Type{typ}, ir.Val{Bits: xb}, ir.Val{Bits: yb}); !got.IsPoison() {
					t.Fatalf("shift of %d bits by %d is no poison", w, yb)
				}
				continue
			}
			flags, attr := arith.Overflow(0), ir.Attr(0)
			if len(d.Attrs) > 0 {
				flags = arith.Overflow(r.IntN(4))
				attr = arith.OverflowProps(c, flags)
			}
			x, y := big.NewInt(ir.Val{Bits: xb}.Int(w)), big.NewInt(ir.Val{Bits: yb}.Int(w))
			ux, uy := new(big.Int).SetUint64(xb), new(big.Int).SetUint64(yb)
			s, u := f(x, y, ux, uy, w)
			got, err := eval(t, c, d, attr, 0, []ir.Type{typ}, ir.Val{Bits: xb}, ir.Val{Bits: yb})
			switch {
			case s == nil:
				if !ir.IsTrap(err) {
					t.Fatalf("%s(%d, %d) of %d bits does not trap", d.Name, xb, yb, w)
				}
			case flags&arith.NSW != 0 && wraps(s, w, true) || flags&arith.NUW != 0 && wraps(u, w, false):
				if !got.IsPoison() {
					t.Fatalf("%s(%d, %d) of %d bits, flags %d: %v is no poison", d.Name, xb, yb, w, flags, got)
				}
			default:
				m := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(w)), big.NewInt(1))
				if want := new(big.Int).And(s, m).Uint64(); err != nil || got.Ref != nil || got.Bits != want {
					t.Fatalf("%s(%d, %d) of %d bits, flags %d: %v %v, want %d", d.Name, xb, yb, w, flags, got, err, want)
				}
			}
		}
	}
}

// precision and least exponent of the formats.
var formats = map[ir.Type][2]int{ir.F16: {11, -24}, ir.BF16: {8, -133}, ir.F32: {24, -149}, ir.F64: {53, -1074}}

// round rounds an exact value to a format, to nearest even, by way of big.Float.
func round(x *big.Float, t ir.Type) float64 {
	f := formats[t]
	if x.Sign() == 0 {
		return 0
	}
	prec := min(f[0], x.MantExp(nil)-f[1])
	if prec < 0 {
		return 0
	}
	if prec == 0 { // between 0 and the least number
		if x.MantExp(nil) == f[1] && new(big.Float).Abs(x).Cmp(new(big.Float).SetMantExp(big.NewFloat(0.5), f[1])) > 0 {
			return gomath.Copysign(gomath.Ldexp(1, f[1]), float64(x.Sign()))
		}
		return 0
	}
	y, _ := new(big.Float).SetPrec(uint(prec)).SetMode(big.ToNearestEven).Set(x).Float64()
	if lim := ir.BitsToFloat(ir.FloatToBits(gomath.Inf(1), t), t); t != ir.F64 && gomath.Abs(y) >= map[ir.Type]float64{ir.F16: 0x1p16, ir.BF16: 0x1p128, ir.F32: 0x1p128}[t] {
		return gomath.Copysign(lim, y)
	}
	return y
}

func exact(x float64) *big.Float { return new(big.Float).SetPrec(4500).SetFloat64(x) }

// Float ops round once in their own format.
func TestFloatsRoundOnce(t *testing.T) {
	c := ir.NewContext(arith.Dialect, math.Dialect)
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		for typ := range formats {
			w := c.Info(typ).Width
			number := func() (ir.Val, float64) {
				for {
					v := ir.Val{Bits: r.Uint64() & (^uint64(0) >> (64 - w))}
					if r.IntN(2) == 0 {
						v = ir.FloatVal(gomath.Ldexp(1+r.Float64(), r.IntN(20)-10), typ)
					}
					if f := v.Float(typ); !gomath.IsNaN(f) && !gomath.IsInf(f, 0) {
						return v, f
					}
				}
			}
			xv, x := number()
			yv, y := number()
			zv, z := number()
			for _, e := range []struct {
				d    *ir.OpDef
				args []ir.Val
				want func() *big.Float
			}{
				{arith.Addf, []ir.Val{xv, yv}, func() *big.Float { return new(big.Float).Add(exact(x), exact(y)) }},
				{arith.Subf, []ir.Val{xv, yv}, func() *big.Float { return new(big.Float).Sub(exact(x), exact(y)) }},
				{arith.Mulf, []ir.Val{xv, yv}, func() *big.Float { return new(big.Float).Mul(exact(x), exact(y)) }},
				{arith.Divf, []ir.Val{xv, yv}, func() *big.Float { return new(big.Float).SetPrec(300).Quo(exact(x), exact(y)) }},
				{math.Fma, []ir.Val{xv, yv, zv}, func() *big.Float { return new(big.Float).Add(new(big.Float).Mul(exact(x), exact(y)), exact(z)) }},
				{math.Sqrt, []ir.Val{ir.Val{Bits: xv.Bits &^ (1 << (w - 1))}}, func() *big.Float { return new(big.Float).SetPrec(300).Sqrt(exact(gomath.Abs(x))) }},
			} {
				if e.d == arith.Divf && y == 0 {
					continue
				}
				got, err := eval(t, c, e.d, 0, 0, []ir.Type{typ}, e.args...)
				if want := round(e.want(), typ); err != nil || got.Float(typ) != want {
					t.Fatalf("%s(%v, %v, %v) of %d bits: got %v, want %v", e.d.Name, x, y, z, w, got.Float(typ), want)
				}
			}
			n := int64(r.Uint64()) >> r.IntN(64)
			got, _ := eval(t, c, arith.Sitofp, 0, typ, []ir.Type{ir.I64}, ir.Val{Bits: uint64(n)})
			if want := round(new(big.Float).SetPrec(64).SetInt64(n), typ); got.Float(typ) != want {
				t.Fatalf("sitofp(%d) to %d bits: got %v, want %v", n, w, got.Float(typ), want)
			}
			got, _ = eval(t, c, arith.Uitofp, 0, typ, []ir.Type{ir.I64}, ir.Val{Bits: uint64(n)})
			if want := round(new(big.Float).SetPrec(64).SetUint64(uint64(n)), typ); got.Float(typ) != want {
				t.Fatalf("uitofp(%d) to %d bits: got %v, want %v", uint64(n), w, got.Float(typ), want)
			}
		}
	}
}

func TestRoundingModes(t *testing.T) {
	up := gomath.Nextafter32(1, 2)
	for _, e := range []struct {
		x    float64
		mode int64
		want float64
	}{
		{1 + 0x1p-30, 0, 1}, {1 + 0x1p-30, 1, 1}, {1 + 0x1p-30, 2, float64(up)}, {1 + 0x1p-30, 3, 1}, {1 + 0x1p-30, 4, 1},
		{-1 - 0x1p-30, 1, -float64(up)}, {-1 - 0x1p-30, 2, -1}, {-1 - 0x1p-30, 3, -1},
		{1 + 0x1p-24, 0, 1}, {1 + 0x1p-24, 4, float64(up)}, {-1 - 0x1p-24, 4, -float64(up)},
		{1e300, 0, gomath.Inf(1)}, {1e300, 3, gomath.MaxFloat32}, {1e300, 1, gomath.MaxFloat32}, {1e300, 2, gomath.Inf(1)},
		{1e-300, 2, 0x1p-149}, {1e-300, 1, 0}, {-1e-300, 1, -0x1p-149},
	} {
		if got := ir.BitsToFloat(elementwise.RoundTo(e.x, ir.F32, e.mode), ir.F32); got != e.want {
			t.Errorf("%v by mode %d: got %v, want %v", e.x, e.mode, got, e.want)
		}
	}
}

func TestConversionsOutOfRange(t *testing.T) {
	c := ir.NewContext(arith.Dialect)
	for _, e := range []struct {
		d      *ir.OpDef
		x      float64
		to     ir.Type
		want   uint64
		poison bool
	}{
		{arith.Fptosi, 127.9, ir.I8, 127, false}, {arith.Fptosi, 128, ir.I8, 0, true}, {arith.Fptosi, -128.9, ir.I8, 128, false},
		{arith.Fptosi, -129, ir.I8, 0, true}, {arith.Fptosi, gomath.NaN(), ir.I64, 0, true}, {arith.Fptosi, 0x1p63, ir.I64, 0, true},
		{arith.Fptosi, -0x1p63, ir.I64, 1 << 63, false}, {arith.Fptosi, gomath.Inf(-1), ir.I64, 0, true},
		{arith.Fptoui, 255.9, ir.I8, 255, false}, {arith.Fptoui, 256, ir.I8, 0, true}, {arith.Fptoui, -0.9, ir.I8, 0, false},
		{arith.Fptoui, -1, ir.I8, 0, true}, {arith.Fptoui, 0x1p64, ir.I64, 0, true}, {arith.Fptoui, 0x1p63, ir.I64, 1 << 63, false},
	} {
		got, err := eval(t, c, e.d, 0, e.to, []ir.Type{ir.F64}, ir.F64Val(e.x))
		if err != nil || got.IsPoison() != e.poison || got.Bits != e.want {
			t.Errorf("%s(%v): got %v %v, want %v, poison %v", e.d.Name, e.x, got, err, e.want, e.poison)
		}
	}
}

func TestNaN(t *testing.T) {
	c := ir.NewContext(arith.Dialect)
	nan, zero, minus := gomath.NaN(), 0.0, gomath.Copysign(0, -1)
	for _, e := range []struct {
		d          *ir.OpDef
		x, y, want float64
	}{
		{arith.Maximumf, nan, 1, nan}, {arith.Maximumf, 1, nan, nan}, {arith.Maximumf, minus, zero, zero}, {arith.Maximumf, zero, minus, zero},
		{arith.Minimumf, nan, 1, nan}, {arith.Minimumf, zero, minus, minus}, {arith.Minimumf, minus, zero, minus}, {arith.Minimumf, 2, 1, 1},
		{arith.Maxnumf, nan, 1, 1}, {arith.Maxnumf, 1, nan, 1}, {arith.Maxnumf, nan, nan, nan}, {arith.Minnumf, nan, 1, 1}, {arith.Minnumf, 3, nan, 3},
		{arith.Remf, -5, 3, -2}, {arith.Remf, 5, 0, nan},
	} {
		got, err := eval(t, c, e.d, 0, 0, []ir.Type{ir.F64}, ir.F64Val(e.x), ir.F64Val(e.y))
		if err != nil || gomath.IsNaN(got.F64()) != gomath.IsNaN(e.want) || !gomath.IsNaN(e.want) && got.Bits != gomath.Float64bits(e.want) {
			t.Errorf("%s(%v, %v): got %v, want %v", e.d.Name, e.x, e.y, got.F64(), e.want)
		}
	}
}

func TestPoison(t *testing.T) {
	c := ir.NewContext(arith.Dialect)
	one := ir.Val{Bits: 1}
	i32 := []ir.Type{ir.I32}
	if v, err := eval(t, c, arith.Divsi, 0, 0, i32, elementwise.Poisoned, one); err != nil || !v.IsPoison() {
		t.Errorf("poison / 1: %v %v", v, err)
	}
	if _, err := eval(t, c, arith.Divsi, 0, 0, i32, one, elementwise.Poisoned); !ir.IsTrap(err) {
		t.Errorf("1 / poison: %v", err)
	}
	if v, err := eval(t, c, arith.Select, 0, 0, []ir.Type{ir.I1, ir.I32}, one, one, elementwise.Poisoned); err != nil || v.Bits != 1 {
		t.Errorf("select of poison that is not chosen: %v %v", v, err)
	}
	vec := c.Vector([]int64{2}, ir.I32)
	v, err := eval(t, c, arith.Addi, 0, 0, []ir.Type{vec}, ir.Val{Ref: ir.Vector{one, elementwise.Poisoned}}, ir.Val{Ref: ir.Vector{one, one}})
	if r, ok := v.Ref.(ir.Vector); err != nil || !ok || r[0].Bits != 2 || !r[1].IsPoison() {
		t.Errorf("a poison element: %v %v", v, err)
	}
	wide := c.Int(128)
	if _, err := eval(t, c, arith.Addi, 0, 0, []ir.Type{wide}, one, one); err != ir.ErrNoValue {
		t.Errorf("128 bits: %v", err)
	}
}

func TestExtended(t *testing.T) {
	c := ir.NewContext(arith.Dialect)
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		w := []int{1, 8, 32, 64}[r.IntN(4)]
		x, y := r.Uint64()>>(64-w), r.Uint64()>>(64-w)
		for _, d := range []*ir.OpDef{arith.AdduiExtended, arith.MuluiExtended, arith.MulsiExtended} {
			bx, by := new(big.Int).SetUint64(x), new(big.Int).SetUint64(y)
			if d == arith.MulsiExtended {
				bx, by = big.NewInt(ir.Val{Bits: x}.Int(w)), big.NewInt(ir.Val{Bits: y}.Int(w))
			}
			z := new(big.Int).Mul(bx, by)
			if d == arith.AdduiExtended {
				z.Add(bx, by)
			}
			m := new(big.Int).SetUint64(^uint64(0) >> (64 - w))
			lo, hi := new(big.Int).And(z, m).Uint64(), new(big.Int).And(new(big.Int).Rsh(z, uint(w)), m).Uint64()
			got, err := eval(t, c, d, 0, 0, []ir.Type{c.Int(w)}, ir.Val{Bits: x}, ir.Val{Bits: y})
			if v, ok := got.Ref.(ir.Vector); err != nil || !ok || v[0].Bits != lo || v[1].Bits != hi {
				t.Fatalf("%s(%d, %d) of %d bits: %v %v, want %d %d", d.Name, x, y, w, got, err, lo, hi)
			}
		}
	}
}
