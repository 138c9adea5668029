package prove

import (
	"fmt"
	"maps"
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// rows are what ops mean, in bits. They are made when they are asked for: most runs of irc prove nothing.
var rows = sync.OnceValue(func() Table {
	out := Table{}
	for _, t := range []Table{wrapping(), bitwise(), divisions(), conversions(), control()} {
		maps.Copy(out, t)
	}
	return out
})

// wrapping are the ops that may promise not to wrap: each computes in twice the width, where the result is exact.
func wrapping() Table {
	return Table{
		arith.Addi: Each(func(o *Op, x []Lane) Lane { return o.exact(x, o.Add) }),
		arith.Subi: Each(func(o *Op, x []Lane) Lane { return o.exact(x, o.Sub) }),
		arith.Muli: Each(func(o *Op, x []Lane) Lane { return o.exact(x, o.Mul) }),
		arith.Shli: Each(func(o *Op, x []Lane) Lane {
			w := len(x[0].Bits)
			out := o.ShiftLeft(x[0].Bits, x[1].Bits)
			poison := o.tooFar(x[1].Bits, w)
			if flags := arith.OverflowOf(o.Ctx, o.Attr); flags != 0 {
				back := func(signed bool) circuit.Bit { return o.Equal(o.ShiftRight(out, x[1].Bits, signed), x[0].Bits).Not() }
				if flags&arith.NUW != 0 {
					poison = o.Or(poison, back(false))
				}
				if flags&arith.NSW != 0 {
					poison = o.Or(poison, back(true))
				}
			}
			return Lane{out, poison}
		}),
		arith.Shrui: Each(func(o *Op, x []Lane) Lane {
			return Lane{o.ShiftRight(x[0].Bits, x[1].Bits, false), o.tooFar(x[1].Bits, len(x[0].Bits))}
		}),
		arith.Shrsi: Each(func(o *Op, x []Lane) Lane {
			return Lane{o.ShiftRight(x[0].Bits, x[1].Bits, true), o.tooFar(x[1].Bits, len(x[0].Bits))}
		}),
	}
}

// tooFar is where a number is not less than a width.
func (o *Op) tooFar(by []circuit.Bit, w int) circuit.Bit {
	return o.Inside(by, w).Not()
}

// exact is f modulo 2^width, poison where a flag says that it does not wrap and it does.
func (o *Op) exact(x []Lane, f func(a, b []circuit.Bit) []circuit.Bit) Lane {
	w := len(x[0].Bits)
	out := Lane{Bits: f(x[0].Bits, x[1].Bits)}
	flags := arith.OverflowOf(o.Ctx, o.Attr)
	for _, f0 := range []struct {
		flag   arith.Overflow
		signed bool
	}{{arith.NUW, false}, {arith.NSW, true}} {
		if flags&f0.flag != 0 {
			wide := f(circuit.Extend(x[0].Bits, 2*w, f0.signed), circuit.Extend(x[1].Bits, 2*w, f0.signed))
			out.Poison = o.Or(out.Poison, o.Equal(wide, circuit.Extend(out.Bits, 2*w, f0.signed)).Not())
		}
	}
	return out
}

// total is the row of an op of two integers that is never poison by itself.
func total(f func(o *Op, a, b []circuit.Bit) []circuit.Bit) Meaning {
	return Each(func(o *Op, x []Lane) Lane { return Lane{Bits: f(o, x[0].Bits, x[1].Bits)} })
}

// single is total for one integer.
func single(f func(o *Op, a []circuit.Bit) []circuit.Bit) Meaning {
	return Each(func(o *Op, x []Lane) Lane { return Lane{Bits: f(o, x[0].Bits)} })
}

func bitwise() Table {
	return Table{
		arith.Andi:  total(func(o *Op, a, b []circuit.Bit) []circuit.Bit { return o.AndWords(a, b) }),
		arith.Ori:   total(func(o *Op, a, b []circuit.Bit) []circuit.Bit { return o.OrWords(a, b) }),
		arith.Xori:  total(func(o *Op, a, b []circuit.Bit) []circuit.Bit { return o.XorWords(a, b) }),
		arith.Maxsi: total(func(o *Op, a, b []circuit.Bit) []circuit.Bit { return o.IfWord(o.LessSigned(a, b), b, a) }),
		arith.Minsi: total(func(o *Op, a, b []circuit.Bit) []circuit.Bit { return o.IfWord(o.LessSigned(a, b), a, b) }),
		arith.Maxui: total(func(o *Op, a, b []circuit.Bit) []circuit.Bit { return o.IfWord(o.Less(a, b), b, a) }),
		arith.Minui: total(func(o *Op, a, b []circuit.Bit) []circuit.Bit { return o.IfWord(o.Less(a, b), a, b) }),
		arith.Cmpi: total(func(o *Op, a, b []circuit.Bit) []circuit.Bit {
			return []circuit.Bit{o.Compare(arith.PredicateOfI(o.Ctx, o.Attr), a, b)}
		}),
		math.Absi: single(func(o *Op, a []circuit.Bit) []circuit.Bit { return o.Abs(a) }),
		math.Ctlz: single(func(o *Op, a []circuit.Bit) []circuit.Bit { return o.LeadingZeros(a) }),
		math.Cttz: single(func(o *Op, a []circuit.Bit) []circuit.Bit { return o.TrailingZeros(a) }),
		math.Ctpop: single(func(o *Op, a []circuit.Bit) []circuit.Bit {
			return o.Ones(a)
		}),
		math.Ipowi: Each(power),
		arith.AdduiExtended: inTwo(func(o *Op, a, b []circuit.Bit) ([]circuit.Bit, []circuit.Bit) {
			sum, carry := o.AddCarry(a, b, circuit.False)
			return sum, []circuit.Bit{carry}
		}),
		arith.MuluiExtended: inTwo(halves(false)),
		arith.MulsiExtended: inTwo(halves(true)),
	}
}

// power is x^n; of a negative n it is 1/x^-n, rounded towards zero, and poison where x is 0.
func power(o *Op, x []Lane) Lane {
	base, n, w := x[0].Bits, x[1].Bits, len(x[0].Bits)
	one := circuit.Const(w, 1)
	positive, square := one, base
	for i, b := range n {
		positive = o.IfWord(b, o.Mul(positive, square), positive)
		if i < w-1 {
			square = o.Mul(square, square)
		}
	}
	isOne, isMinus := o.Equal(base, one), o.All(base...)
	if w == 1 {
		isOne = circuit.False
	}
	unit := o.IfWord(o.Or(isOne, o.And(isMinus, n[0].Not())), one, circuit.NotWord(circuit.Const(w, 0)))
	inverse := o.IfWord(o.Or(isOne, isMinus), unit, circuit.Const(w, 0))
	negative := circuit.Sign(n)
	return Lane{o.IfWord(negative, inverse, positive), o.And(negative, o.Any(base...).Not())}
}

// halves are those of a product of twice the width, which always fits.
func halves(signed bool) func(o *Op, a, b []circuit.Bit) (low, high []circuit.Bit) {
	return func(o *Op, a, b []circuit.Bit) (low, high []circuit.Bit) {
		w := len(a)
		p := o.Mul(circuit.Extend(a, 2*w, signed), circuit.Extend(b, 2*w, signed))
		return p[:w], p[w:]
	}
}

// inTwo is the row of an op with two results.
func inTwo(f func(o *Op, a, b []circuit.Bit) (first, second []circuit.Bit)) Meaning {
	part := func(second bool) Meaning {
		return total(func(o *Op, a, b []circuit.Bit) []circuit.Bit {
			x, y := f(o, a, b)
			if second {
				return y
			}
			return x
		})
	}
	return func(o *Op) ([]Value, error) {
		x, err := part(false)(o)
		if err != nil {
			return nil, err
		}
		y, err := part(true)(o)
		return append(x, y...), err
	}
}

func divisions() Table {
	return Table{
		arith.Divui: division(false, func(o *Op, q, _, _, _ []circuit.Bit) []circuit.Bit { return q }),
		arith.Divsi: division(true, func(o *Op, q, _, _, _ []circuit.Bit) []circuit.Bit { return q }),
		arith.Remui: division(false, func(o *Op, _, r, _, _ []circuit.Bit) []circuit.Bit { return r }),
		arith.Remsi: division(true, func(o *Op, _, r, _, _ []circuit.Bit) []circuit.Bit { return r }),
		arith.Ceildivui: division(false, func(o *Op, q, r, _, _ []circuit.Bit) []circuit.Bit {
			return o.Add(q, circuit.Extend([]circuit.Bit{o.Any(r...)}, len(q), false))
		}),
		arith.Ceildivsi: division(true, func(o *Op, q, r, a, b []circuit.Bit) []circuit.Bit {
			up := o.And(o.Any(r...), o.Xor(circuit.Sign(a), circuit.Sign(b)).Not())
			return o.Add(q, circuit.Extend([]circuit.Bit{up}, len(q), false))
		}),
		arith.Floordivsi: division(true, func(o *Op, q, r, a, b []circuit.Bit) []circuit.Bit {
			down := o.And(o.Any(r...), o.Xor(circuit.Sign(a), circuit.Sign(b)))
			return o.Sub(q, circuit.Extend([]circuit.Bit{down}, len(q), false))
		}),
	}
}

// division traps on a divisor of zero or poison and, signed, on -1 where the dividend is the least number or poison; else a
// poison dividend gives poison.
func division(signed bool, f func(o *Op, q, r, a, b []circuit.Bit) []circuit.Bit) Meaning {
	return EachLane(func(o *Op, x []Lane) Lane {
		a, b, w := x[0], x[1], len(x[0].Bits)
		o.Trap(o.Or(b.Poison, o.Any(b.Bits...).Not()))
		divide := o.DivRem
		if signed {
			divide = o.DivRemSigned
			least := o.Equal(a.Bits, circuit.Const(w, 1<<(w-1)))
			o.Trap(o.And(o.All(b.Bits...), o.Or(a.Poison, least)))
		}
		q, r := divide(a.Bits, b.Bits)
		return Lane{f(o, q, r, a.Bits, b.Bits), a.Poison}
	})
}

func conversions() Table {
	return Table{
		arith.Extui:       resize(false),
		arith.Extsi:       resize(true),
		arith.Trunci:      resize(false),
		arith.IndexCast:   resize(true),
		arith.IndexCastui: resize(false),
	}
}

// resize extends or cuts to the width of the result.
func resize(signed bool) Meaning {
	return Each(func(o *Op, x []Lane) Lane {
		w, _, _ := shape(o.Ctx, o.Types[0])
		return Lane{Bits: circuit.Extend(x[0].Bits, w, signed)}
	})
}

// control are choices: of values, of regions, of what poison is.
func control() Table {
	return Table{
		arith.Select: EachLane(func(o *Op, x []Lane) Lane {
			where := x[0].Bits[0]
			return Lane{o.IfWord(where, x[1].Bits, x[2].Bits), o.Or(x[0].Poison, o.Circuit.If(where, x[1].Poison, x[2].Poison))}
		}),
		ub.Poison: func(o *Op) ([]Value, error) {
			w, lanes, err := shape(o.Ctx, o.Types[0])
			out := make(Value, lanes)
			for i := range out {
				out[i] = Lane{circuit.Const(w, 0), circuit.True}
			}
			return []Value{out}, err
		},
		ub.Freeze: EachLane(func(o *Op, x []Lane) Lane {
			if x[0].Poison == circuit.False {
				return x[0]
			}
			return Lane{Bits: o.IfWord(x[0].Poison, o.Choose(len(x[0].Bits), x[0].Poison), x[0].Bits)}
		}),
		scf.If: func(o *Op) ([]Value, error) {
			cond := o.Args[0][0]
			o.Trap(cond.Poison)
			yes, err := o.Run(0, cond.Bits[0])
			if err != nil || o.Regions() < 2 {
				return yes, err
			}
			no, err := o.Run(1, cond.Bits[0].Not())
			if err != nil {
				return nil, err
			}
			return o.If(cond.Bits[0], yes, no), nil
		},
		scf.ExecuteRegion: func(o *Op) ([]Value, error) { return o.Run(0, circuit.True) },
		funcs.Call: func(o *Op) ([]Value, error) {
			callee := o.Ctx.Get(o.Attr, "callee")
			if callee == 0 {
				return nil, fmt.Errorf("it names no function")
			}
			return o.Call(o.Ctx.AttrInfo(callee).Str)
		},
	}
}

// Known are the ops with a row in package prove.
func Known() Table { return maps.Clone(rows()) }
