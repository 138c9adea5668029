package main

import (
	"fmt"

	"github.com/irc-lang/irc/backends/ptxas"
	"github.com/irc-lang/irc/tests/bench/nvrtc"
	"github.com/irc-lang/irc/tests/bench/report"
)

// sassArch is what kernels are compiled for that are compared by their machine code.
const sassArch = "sm_80"

// A machineCode is what can be seen of a kernel without a GPU.
type machineCode struct {
	ptxas.Loop
	ptxas.Usage
	spills int // bytes that ptxas says, or instructions
}

func (m machineCode) perFMA() float64 { return float64(m.Instructions) / float64(m.FMAs) }

// disassemble looks at a compiled kernel.
func (b *bench) disassemble(name string, cubin []byte) (m machineCode, err error) {
	text, err := ptxas.Disassemble(b.ctx, cubin)
	if err != nil {
		return m, err
	}
	if m.Loop = ptxas.HotLoop(text); m.FMAs == 0 {
		return m, fmt.Errorf("%s has no loop with multiply-adds", name)
	}
	m.spills = ptxas.Spills(text)
	return m, nil
}

// assemble has ptxas compile PTX.
func (b *bench) assemble(name, text string) (machineCode, error) {
	cubin, us, err := ptxas.Assemble(b.ctx, text, sassArch)
	if err != nil {
		return machineCode{}, err
	}
	m, err := b.disassemble(name, cubin)
	if len(us) > 0 {
		m.Usage = us[0]
		m.spills = us[0].SpillStores + us[0].SpillLoads
	}
	return m, err
}

// sass compares the machine code of products with that of CUDA source of the same algorithm.
func (b *bench) sass() error {
	for _, p := range []squareProduct{{elem: "f32", n: 4096}, {elem: "f32", n: 4096, epilogue: true}, {elem: "f32", n: 4096, tf32: true}, {elem: "f16", n: 4096}} {
		what := fmt.Sprintf("hot loop of a %v, %s", p, sassArch)
		ours, peer, version, err := b.kernelsOf(p)
		if err != nil {
			b.table.Add(report.Row{Group: "sass", What: what, Note: "skipped: " + firstLine(err.Error())})
			continue
		}
		b.table.Compare("sass", what, "instr/FMA", ours.perFMA(), peer.perFMA(), 1, "no more")
		met := ours.spills == 0
		fit, _ := ours.Fits(sassArch, 256)
		b.table.Add(report.Row{Group: "sass", What: "  registers", Ours: float64(ours.Registers), Note: fmt.Sprintf("%d instructions for %d FMAs, and of nvrtc %s %d for %d; %d bytes of shared memory; at most %d threads of %d at once",
			ours.Instructions, ours.FMAs, version, peer.Instructions, peer.FMAs, ours.Shared, fit.Threads, fit.Most)})
		b.table.Add(report.Row{Group: "sass", What: "  bytes spilled", Ours: float64(ours.spills), Target: "none", Met: &met})
	}
	return nil
}

// kernelsOf are the kernels of both. nvrtc puts the epilogue in where there is one.
func (b *bench) kernelsOf(p squareProduct) (ours, peer machineCode, version string, err error) {
	lib, err := nvrtc.Open()
	if err != nil {
		return ours, peer, "", err
	}
	ptx, err := p.compile(b, sassArch)
	if err != nil {
		return ours, peer, "", err
	}
	name, macros := p.elem, []string{}
	if p.tf32 {
		name = "tf32"
	}
	if p.epilogue {
		macros = append(macros, "-DEPILOGUE")
	}
	if ours, err = b.assemble("product_"+name, ptx.Text); err != nil {
		return ours, peer, "", err
	}
	cubin, err := lib.Build("tests/bench/peers/product_"+name+".cu", sassArch, macros...)
	if err != nil {
		return ours, peer, "", err
	}
	peer, err = b.disassemble("nvrtc_"+name, cubin)
	return ours, peer, fmt.Sprintf("%d.%d", lib.VersionMajor, lib.Minor), err
}
