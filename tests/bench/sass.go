package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// sassArch is what kernels are compiled for that are compared by their machine code.
const sassArch = "sm_80"

// A machineCode is what can be seen of a kernel without a GPU.
type machineCode struct {
	instructions, fmas int // of the loop with the most fused multiply-adds, these by thread
	registers, spills  int // spills in bytes
	shared             int
}

func (m machineCode) perFMA() float64 { return float64(m.instructions) / float64(m.fmas) }

var (
	labelRE  = regexp.MustCompile(`^(\.L_\w+):`)
	branchRE = regexp.MustCompile("BRA `\\((\\.L_\\w+)\\)")
	opRE     = regexp.MustCompile(`^\s*/\*[0-9a-f]{4,}\*/\s+(.*);`)
	resRE    = regexp.MustCompile(`Used (\d+) registers(?:, (\d+) bytes smem)?`)
	spillRE  = regexp.MustCompile(`(\d+) bytes spill stores, (\d+) bytes spill loads`)
)

// fmasOf is how many fused multiply-adds an instruction is for a thread.
func fmasOf(op string) int {
	switch {
	case strings.Contains(op, "FFMA") || strings.Contains(op, "DFMA"):
		return 1
	case strings.Contains(op, "HMMA.16816"):
		return 16 * 8 * 16 / 32
	case strings.Contains(op, "HMMA.1688"):
		return 16 * 8 * 8 / 32
	}
	return 0
}

// hotLoop finds the loop of the most multiply-adds in what nvdisasm prints.
func hotLoop(sass string) (best machineCode) {
	lines := strings.Split(sass, "\n")
	labels := map[string]int{}
	for i, line := range lines {
		if m := labelRE.FindStringSubmatch(line); m != nil {
			labels[m[1]] = i
		}
		m := branchRE.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		from, ok := labels[m[1]]
		if !ok {
			continue // forward
		}
		var loop machineCode
		for _, l := range lines[from : i+1] {
			if op := opRE.FindStringSubmatch(l); op != nil {
				loop.instructions++
				loop.fmas += fmasOf(op[1])
			}
		}
		if loop.fmas > best.fmas {
			best = loop
		}
	}
	return best
}

// disassemble looks at a compiled kernel.
func (b *bench) disassemble(name string, cubin []byte) (machineCode, error) {
	file := filepath.Join(b.dir, name+".cubin")
	if err := os.WriteFile(file, cubin, 0o644); err != nil {
		return machineCode{}, err
	}
	tool, err := exec.LookPath("nvdisasm")
	if err != nil {
		return machineCode{}, errors.New("nvdisasm is not found (make deps-ptx)")
	}
	out, err := exec.Command(tool, "-c", file).Output()
	if err != nil {
		return machineCode{}, err
	}
	m := hotLoop(string(out))
	if m.fmas == 0 {
		return m, fmt.Errorf("%s has no loop with multiply-adds", name)
	}
	for _, op := range []string{"STL", "LDL"} {
		m.spills += strings.Count(string(out), " "+op+" ") + strings.Count(string(out), " "+op+".")
	}
	return m, nil
}

// assemble has ptxas compile PTX.
func (b *bench) assemble(name, ptx string) (machineCode, error) {
	tool, err := exec.LookPath("ptxas")
	if err != nil {
		return machineCode{}, errors.New("ptxas is not found (make deps-ptx)")
	}
	in, out := filepath.Join(b.dir, name+".ptx"), filepath.Join(b.dir, name+".out")
	if err := os.WriteFile(in, []byte(ptx), 0o644); err != nil {
		return machineCode{}, err
	}
	said, err := exec.Command(tool, "-v", "-arch="+sassArch, in, "-o", out).CombinedOutput()
	if err != nil {
		return machineCode{}, fmt.Errorf("%w: %s", err, said)
	}
	cubin, err := os.ReadFile(out)
	if err != nil {
		return machineCode{}, err
	}
	m, err := b.disassemble(name, cubin)
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	if r := resRE.FindStringSubmatch(string(said)); r != nil {
		m.registers, m.shared = number(r[1]), number(r[2])
	}
	if r := spillRE.FindStringSubmatch(string(said)); r != nil {
		m.spills = number(r[1]) + number(r[2])
	}
	return m, err
}

// sass compares the machine code of products with that of CUDA source of the same algorithm.
func (b *bench) sass() error {
	for _, p := range []squareProduct{{elem: "f32", n: 4096}, {elem: "f32", n: 4096, epilogue: true}, {elem: "f32", n: 4096, tf32: true}, {elem: "f16", n: 4096}} {
		what := fmt.Sprintf("hot loop of a %v, %s", p, sassArch)
		ours, peer, version, err := b.kernelsOf(p)
		if err != nil {
			b.table.add(Row{Group: "sass", What: what, Note: "skipped: " + firstLine(err.Error())})
			continue
		}
		b.table.compare("sass", what, "instr/FMA", ours.perFMA(), peer.perFMA(), 1, "no more")
		met := ours.spills == 0
		b.table.add(Row{Group: "sass", What: "  registers", Ours: float64(ours.registers), Note: fmt.Sprintf("%d instructions for %d FMAs, and of nvrtc %s %d for %d; %d bytes of shared memory; at most %d threads of 2048 at once",
			ours.instructions, ours.fmas, version, peer.instructions, peer.fmas, ours.shared, occupancy(ours))})
		b.table.add(Row{Group: "sass", What: "  bytes spilled", Ours: float64(ours.spills), Target: "none", Met: &met})
	}
	return nil
}

// occupancy is how many threads of blocks of 256 find registers and shared memory on a multiprocessor of sm_80 at once: it has
// 65536 registers, given out to warps by 256, and 164 KiB of shared memory, of which a block takes 1 KiB more than it says.
func occupancy(m machineCode) int {
	const threads, warp = 256, 32
	perWarp := (m.registers*warp + 255) / 256 * 256
	blocks := min(65536/perWarp/(threads/warp), 164<<10/(m.shared+1024), 2048/threads)
	return blocks * threads
}

// kernelsOf are the kernels of both. nvrtc puts the epilogue in where there is one.
func (b *bench) kernelsOf(p squareProduct) (ours, peer machineCode, version string, err error) {
	lib, err := openNVRTC()
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
	cubin, err := lib.build("tests/bench/peers/product_"+name+".cu", sassArch, macros...)
	if err != nil {
		return ours, peer, "", err
	}
	peer, err = b.disassemble("nvrtc_"+name, cubin)
	return ours, peer, fmt.Sprintf("%d.%d", lib.versionMajor, lib.minor), err
}
