package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// A squareProduct is a product of square matrices as tensor-to-device makes a kernel of it, which gives f32.
type squareProduct struct {
	elem string
	n    int
}

// squareProducts are those that are run on a GPU: their tiles, of 128 x 128, divide them.
var squareProducts = []squareProduct{{"f32", 1024}, {"f32", 4096}, {"f16", 1024}, {"f16", 4096}, {"bf16", 4096}}

const (
	productTile    = 128
	productThreads = 256
	productKernel  = "main_product"
)

func (p squareProduct) String() string { return fmt.Sprintf("product of %s, %d", p.elem, p.n) }

func (p squareProduct) elemType() ir.Type {
	return map[string]ir.Type{"f32": ir.F32, "f16": ir.F16, "bf16": ir.BF16}[p.elem]
}

// compile makes PTX of it, without checks.
func (p squareProduct) compile(b *bench, arch string) (*nvvm.PTX, error) {
	from, to := fmt.Sprintf("tensor<%dx%dx%s>", p.n, p.n, p.elem), fmt.Sprintf("tensor<%dx%dxf32>", p.n, p.n)
	src := fmt.Sprintf("func.func @main(%%a: %[1]s, %%b: %[1]s) -> %[2]s {\n  %%c = ten.einsum \"ik,kj->ij\" %%a, %%b : %[1]s, %[1]s -> %[2]s\n  return %%c : %[2]s\n}\n", from, to)
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("product.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		return nil, err
	}
	pipeline, err := pass.Parse("tensor-to-device", lowering.AllPasses())
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

// onGPU checks the products on a GPU and takes their figures.
func (b *bench) onGPU(gpu *cuda.GPU, arch string) error {
	for _, p := range squareProducts {
		if b.quick && p.n > 1024 {
			continue
		}
		if err := b.oneOnGPU(gpu, p, arch); err != nil {
			b.table.add(Row{Group: "device", What: p.String(), Note: "not measured: " + firstLine(err.Error())})
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
	width := map[string]int{"f32": 4, "f16": 2, "bf16": 2}[p.elem]
	for seed := range 3 {
		bytes := int64(width * size)
		if seed == 2 {
			bytes = int64(4 * size)
		}
		mem, err := gpu.Alloc(b.ctx, bytes)
		if err != nil {
			return err
		}
		mems = append(mems, mem)
		if seed == 2 {
			break
		}
		data := host.Bytes()
		for i := range size {
			bits := ir.FloatToBits(quarter(i, seed), p.elemType())
			if width == 4 {
				binary.LittleEndian.PutUint32(data[4*i:], uint32(bits))
			} else {
				binary.LittleEndian.PutUint16(data[2*i:], uint16(bits))
			}
		}
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
	if err := gpu.CopyOut(b.ctx, host, mems[2], mems[2].Size); err != nil {
		return err
	}
	if err := p.check(host.Bytes()); err != nil {
		return err
	}
	times, err := mod.Time(b.ctx, l, 20)
	if err != nil {
		return err
	}
	best := slices.Min(times)
	r := Row{Group: "device", What: p.String(), Unit: "GFLOP/s", Ours: 2 * float64(size) * float64(p.n) / best.Seconds() / 1e9, Note: fmt.Sprintf("%v, best of 20", best)}
	card := gpu.Device()
	if peak := card.PeakFlops() / 1e9; p.elem == "f32" && peak > 0 {
		r.Peer, r.Ratio, r.Target = peak, r.Ours/peak, "the card's peak"
	}
	b.table.add(r)
	return nil
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
