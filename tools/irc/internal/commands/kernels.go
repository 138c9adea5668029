package commands

import (
	"slices"

	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/backends/ptxas"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/ends"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tools/irc/explain"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// kernels says what the machine code of kernels takes that -emit=ptx writes and -engine=cuda runs, for a GPU that irc compiles
// for unasked; nil for a program without.
func (s *session) kernels(g *ir.Graph) *explain.Kernels {
	blocks := blocksOf(g)
	if len(blocks) == 0 {
		return nil
	}
	gpu := nvvm.GPU("")
	p, err := s.Completed(&pass.Pipeline{}, gpu, ends.MostOptimised)
	if err != nil {
		return &explain.Kernels{Missing: err.Error()}
	}
	m := s.Manager()
	m.Print = func(*ir.Graph, bool) string { return "" }
	low, err := m.Run(s.Context, g, p)
	if err != nil {
		return &explain.Kernels{Missing: err.Error()}
	}
	code, err := nvvm.Compile(low, nvvm.Options{Target: gpu, Level: cli.LevelOf(p)})
	if err != nil {
		return &explain.Kernels{Missing: err.Error()}
	}
	_, used, err := ptxas.Assemble(s.Context, code.Text, code.Arch)
	if err != nil {
		return &explain.Kernels{Missing: err.Error()}
	}
	out := &explain.Kernels{Arch: code.Arch}
	for _, k := range code.Kernels {
		i := slices.IndexFunc(used, func(u ptxas.Usage) bool { return u.Entry == k.Entry })
		if i < 0 {
			continue
		}
		u := used[i]
		x := explain.Kernel{Name: k.Name, Registers: u.Registers, Shared: u.Shared, Stack: u.Stack, Spilled: u.SpillStores + u.SpillLoads}
		for _, n := range blocks[k.Name] {
			f, _ := u.Fits(code.Arch, n)
			x.Fits = append(x.Fits, explain.Fit{Block: n, Threads: f.Threads, Most: f.Most, Limit: f.Limit})
		}
		out.List = append(out.List, x)
	}
	return out
}

// blocksOf finds the kernels of a program, and the numbers of threads that their blocks are known to have where they are launched.
func blocksOf(g *ir.Graph) map[string][]int {
	out := map[string][]int{}
	for n := range g.All() {
		switch n.Def() {
		case device.Kernel:
			out[symbols.Of(n)] = append([]int{}, out[symbols.Of(n)]...)
		case device.Launch:
			name := device.KernelOf(g.Ctx, n.Attrs())
			if threads, ok := threadsOf(n); ok && !slices.Contains(out[name], threads) {
				out[name] = append(out[name], threads)
			}
		}
	}
	return out
}

// threadsOf is how many threads a block of a launch has.
func threadsOf(launch ir.Node) (threads int, known bool) {
	g := launch.Graph()
	sizes := g.Ctx.Ints(launch.Attr("operandSegmentSizes"))
	threads = 1
	for _, v := range g.Args(launch.Old())[sizes[0] : sizes[0]+sizes[1]] {
		n, ok := g.Const(v)
		if !ok || n.Bits > device.MaxThreads {
			return 0, false
		}
		threads *= int(n.Bits)
	}
	return threads, threads > 0 && threads <= device.MaxThreads
}
