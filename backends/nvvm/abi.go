package nvvm

import (
	"fmt"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
)

// TrapSymbol is the variable of a PTX module that holds the number of the first
// trap that happened, 0 for none.
const TrapSymbol = "irc_trap"

// PTX is a compiled module.
type PTX struct {
	Text    string
	Arch    string // "sm_80"
	Kernels []Kernel
	// Traps says what the numbers in TrapSymbol mean: number n is Traps[n-1]. The
	// module has no such variable if there are none.
	Traps []llvm.Trap
}

// Kernel finds a kernel by its symbol, or returns nil.
func (p *PTX) Kernel(name string) *Kernel {
	for i := range p.Kernels {
		if p.Kernels[i].Name == name {
			return &p.Kernels[i]
		}
	}
	return nil
}

// A Kernel can be launched.
type Kernel struct {
	Name   string    // its symbol in the program
	Entry  string    // its name in PTX
	In     []ir.Type // of its arguments
	Params []Param   // of the entry
	Shared int64     // bytes of shared memory that it reserves, for itself and what it calls
}

// A ParamKind says what a parameter of an entry holds.
type ParamKind uint8

// The kinds of parameters.
const (
	Scalar  ParamKind = iota // the argument itself
	Address                  // of element (0, ..., 0) of a memref
	Size                     // of dimension Dim of a memref
	Stride                   // of dimension Dim of a memref, in elements
)

// A Param is one parameter of an entry.
type Param struct {
	Arg   int // number of the argument that it belongs to
	Kind  ParamKind
	Dim   int
	Bytes int // 1, 2, 4 or 8; it is aligned to as many
}

// Params lists the parameters of a kernel with arguments of the given types; the
// error names the argument that cannot be passed.
func Params(c *ir.Context, in []ir.Type) ([]Param, error) {
	var out []Param
	for i, t := range in {
		info := c.Info(t)
		switch {
		case info.Kind == ir.KindMemRef:
			ps, ok := memrefParams(c, t, i)
			if !ok {
				return nil, fmt.Errorf("argument #%d is a memref without a strided layout, or of elements that are neither numbers nor vectors of them", i)
			}
			out = append(out, ps...)
		case isNumber(c, t):
			out = append(out, Param{Arg: i, Kind: Scalar, Bytes: c.ElemSize(t)})
		default:
			return nil, fmt.Errorf("argument #%d is neither a number of up to 64 bits nor a memref", i)
		}
	}
	return out, nil
}

func isNumber(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return (c.IsInt(t) || c.IsFloat(t)) && info.Width <= 64
}

func memrefParams(c *ir.Context, t ir.Type, arg int) ([]Param, bool) {
	info := c.Info(t)
	strides, _, ok := layouts.Layout(c, t)
	if _, sized := llvm.ElemBytes(c, info.Elem); !ok || !sized {
		return nil, false
	}
	out := []Param{{Arg: arg, Kind: Address, Bytes: 8}}
	add := func(kind ParamKind, list []int64) {
		for d, n := range list {
			if n == ir.Dynamic {
				out = append(out, Param{Arg: arg, Kind: kind, Dim: d, Bytes: 8})
			}
		}
	}
	add(Size, info.Shape)
	if info.Layout != 0 {
		add(Stride, strides)
	}
	return out, true
}
