package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/bench/report"
)

// A squareProduct is a product of square matrices as tensor-to-device makes a kernel of it, which gives f32.
type squareProduct struct {
	elem     string
	n        int
	tf32     bool // of f32 by tensor cores
	epilogue bool // a bias by columns is added, and what is below 0 becomes 0
}

// squareProducts are those that are run on a GPU: their tiles, of 128 x 128, divide them.
var squareProducts = []squareProduct{{elem: "f32", n: 1024}, {elem: "f32", n: 4096}, {elem: "f32", n: 4096, epilogue: true}, {elem: "f32", n: 1024, tf32: true}, {elem: "f32", n: 4096, tf32: true},
	{elem: "f32", n: 4096, tf32: true, epilogue: true}, {elem: "f16", n: 1024}, {elem: "f16", n: 4096}, {elem: "bf16", n: 4096}, {elem: "f16", n: 4096, epilogue: true}}

const (
	productTile    = 128
	productThreads = 256
	productKernel  = "main_product"
)

func (p squareProduct) String() string {
	what := p.elem
	if p.tf32 {
		what += " as tf32"
	}
	if p.epilogue {
		what += " with bias and relu"
	}
	return fmt.Sprintf("product of %s, %d", what, p.n)
}

var elemTypes = map[string]ir.Type{"f32": ir.F32, "f16": ir.F16, "bf16": ir.BF16}

// An operand is memory that the kernel reads.
type operand struct {
	elem string
	size int
}

// operands are those of the product, and the bias.
func (p squareProduct) operands() []operand {
	out := []operand{{p.elem, p.n * p.n}, {p.elem, p.n * p.n}}
	if p.epilogue {
		out = append(out, operand{"f32", p.n})
	}
	return out
}

// compile makes PTX of it, without checks.
func (p squareProduct) compile(b *bench, arch string) (*nvvm.PTX, error) {
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("product.mlir", p.source()), text.Options{})
	if err := list.Err(); err != nil {
		return nil, err
	}
	pipeline, err := pass.Parse(fmt.Sprintf("tensor-to-device{tf32=%v}", p.tf32), lowering.AllPasses())
	if err != nil {
		return nil, err
	}
	gpu := nvvm.GPU(arch)
	if g, err = (&pass.Manager{Target: gpu}).Run(b.ctx, g, pipeline); err != nil {
		return nil, err
	}
	if g, err = lowering.Compile(b.ctx, g, gpu); err != nil {
		return nil, err
	}
	return nvvm.Compile(g, nvvm.Options{Target: gpu, Unchecked: true})
}

// source is the program.
func (p squareProduct) source() string {
	from, to, bias := fmt.Sprintf("tensor<%dx%dx%s>", p.n, p.n, p.elem), fmt.Sprintf("tensor<%dx%dxf32>", p.n, p.n), fmt.Sprintf("tensor<%dxf32>", p.n)
	product := fmt.Sprintf("%%c = ten.einsum \"ik,kj->ij\" %%a, %%b : %[1]s, %[1]s -> %[2]s", from, to)
	if !p.epilogue {
		return fmt.Sprintf("func.func @main(%%a: %[1]s, %%b: %[1]s) -> %[2]s {\n  %[3]s\n  return %%c : %[2]s\n}\n", from, to, product)
	}
	return fmt.Sprintf(`func.func @main(%%a: %[1]s, %%b: %[1]s, %%bias: %[4]s) -> %[2]s {
  %[3]s
  %%zero = arith.constant 0.0 : f32
  %%d = ten.map (%%x = %%c : %[2]s, %%y = %%bias : %[4]s) -> %[2]s {
    %%s = arith.addf %%x, %%y : f32
    %%r = arith.maximumf %%s, %%zero : f32
    ten.yield %%r : f32
  }
  return %%d : %[2]s
}
`, from, to, product, bias)
}

// onGPU checks the products on a GPU and takes their figures.
func (b *bench) onGPU(gpu *cuda.GPU, arch string) error {
	for _, p := range squareProducts {
		if b.quick && p.n > 1024 {
			continue
		}
		if err := b.oneOnGPU(gpu, p, arch); err != nil {
			b.table.Add(report.Row{Group: "device", What: p.String(), Note: "not measured: " + firstLine(err.Error())})
		}
		if gpu.Broken() != nil {
			return gpu.Broken()
		}
	}
	return nil
}

// element i of the operands: small quarters, so that sums of products are exact.
func quarter(i, seed int) float64 { return float64((i*7+seed)%33-16) / 4 }

func (b *bench) oneOnGPU(gpu *cuda.GPU, p squareProduct, arch string) (err error) {
	ptx, err := b.ptx.product(b, p, arch)
	if err != nil {
		return err
	}
	mod, err := gpu.Load(b.ctx, ptx.Text, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mod.Close(b.ctx)) }()
	size := p.n * p.n
	var mems []cuda.Mem
	defer func() {
		for _, m := range mems {
			err = errors.Join(err, gpu.Free(b.ctx, m))
		}
	}()
	host, err := gpu.Host(b.ctx, int64(4*size))
	if err != nil {
		return err
	}
	defer host.Free()
	operands := p.operands()
	for seed, x := range append(operands, operand{"f32", size}) {
		bytes := int64(widths[x.elem] * x.size)
		mem, err := gpu.Alloc(b.ctx, bytes)
		if err != nil {
			return err
		}
		mems = append(mems, mem)
		if seed == len(operands) {
			break
		}
		x.fill(host.Bytes(), seed)
		if err := gpu.CopyIn(b.ctx, mem, host, bytes); err != nil {
			return err
		}
	}
	side := uint32(p.n / productTile)
	l := cuda.Launch{Kernel: ptx.Kernel(productKernel).Entry, Grid: [3]uint32{side, side, 1}, Block: [3]uint32{productThreads, 1, 1}}
	for _, m := range mems {
		l.Args = append(l.Args, cuda.Arg{Size: 8, Bits: m.Addr})
	}
	if _, err := mod.Launch(b.ctx, l); err != nil {
		return err
	}
	result := mems[len(operands)]
	if err := gpu.CopyOut(b.ctx, host, result, result.Size); err != nil {
		return err
	}
	if err := p.check(host.Bytes()); err != nil {
		return err
	}
	times, err := mod.Time(b.ctx, l, 20)
	if err != nil {
		return err
	}
	b.addProduct(gpu, p, slices.Min(times))
	return nil
}

// widths are the bytes of the elements of operands.
var widths = map[string]int{"f32": 4, "f16": 2, "bf16": 2}

// fill gives an operand its numbers, which seed tells from those of others.
func (x operand) fill(data []byte, seed int) {
	for i := range x.size {
		bits := ir.FloatToBits(quarter(i, seed), elemTypes[x.elem])
		if widths[x.elem] == 4 {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(bits))
		} else {
			binary.LittleEndian.PutUint16(data[2*i:], uint16(bits))
		}
	}
}

// addProduct adds the row of a product.
func (b *bench) addProduct(gpu *cuda.GPU, p squareProduct, best time.Duration) {
	size := p.n * p.n
	r := report.Row{Group: "device", What: p.String(), Unit: "GFLOP/s", Ours: 2 * float64(size) * float64(p.n) / best.Seconds() / 1e9, Note: fmt.Sprintf("%v, best of 20", best)}
	card := gpu.Device()
	if peak := card.PeakFlops() / 1e9; p.elem == "f32" && peak > 0 && !p.tf32 {
		r.Peer, r.Ratio, r.Target = peak, r.Ours/peak, "the card's peak"
	}
	b.table.Add(r)
}

// check compares a thousand elements with the sums.
func (p squareProduct) check(data []byte) error {
	size := p.n * p.n
	for k := range 1001 {
		at := (size - 1) * k / 1000
		got, want := float64(ir.Val{Bits: uint64(binary.LittleEndian.Uint32(data[4*at:]))}.F32()), 0.0
		for x := range p.n {
			want += quarter(at/p.n*p.n+x, 0) * quarter(x*p.n+at%p.n, 1)
		}
		if p.epilogue {
			want = max(0, want+quarter(at%p.n, 2))
		}
		if got != want {
			return fmt.Errorf("element %d is %v, want %v", at, got, want)
		}
	}
	return nil
}

// product is the PTX of a product: from the file, or compiled.
func (p *bundle) product(b *bench, s squareProduct, arch string) (*nvvm.PTX, error) {
	if p.file == "" {
		return s.compile(b, arch)
	}
	if m := p.modules[bundleKey(s.String(), arch, true)]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("%s has no %s for %s", p.file, s, arch)
}
