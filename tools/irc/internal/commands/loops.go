package commands

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/ends"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/roofline"
	"github.com/irc-lang/irc/tools/irc/explain"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/probe"
)

// loops writes the report of `irc explain -loops`: of the loops as they are written, with what the passes made of them.
func (s *session) loops(src *diag.Source, kind *cli.Input, p *pass.Pipeline) error {
	sizes, err := s.loopSizes()
	if err != nil {
		return err
	}
	t, err := s.Target()
	if err != nil {
		return err
	}
	if t.Kind != target.CPU {
		return cli.Usagef("leave -target out, or name a processor", "-loops states bounds of processors, and -target=%s is none", s.Str("target"))
	}
	ctx := s.NewContext()
	g, list := s.Load(ctx, src, kind)
	for _, d := range list {
		fmt.Fprintln(s.Stderr, d)
	}
	if list.Err() != nil {
		return cli.ErrSaid
	}
	known, others := cli.ArgumentsOf(kind, src)
	out := explain.NewLoops(src, t, slices.Concat(known, others)...)
	if err := s.countLoops(g, src, out, t); err != nil {
		return err
	}
	if err := s.codeOfLoops(g, src, out, t, p); err != nil {
		return err
	}
	if err := areSizes(append(out.Params(), known...), sizes); err != nil {
		return err
	}
	if out.Bounded(sizes) {
		if t, err = s.measured(t); err == nil {
			err = out.Bound(sizes, t)
		}
		if err != nil {
			return err
		}
	}
	if s.Flag("json") {
		return s.WriteJSON(out)
	}
	return s.Write([]byte(out.Text()))
}

// overMemory makes loops over memory of equations and of loops over collections.
const overMemory = "lower{to=affine},poly-schedule,poly-contract,poly-codegen,fuse,licm,lower{to=scf},sroa,mem2reg,licm,"

// countLoops counts the work of the loops as they are written; of those that call functions with these in their place, and of equations and loops over
// collections as loops over memory.
func (s *session) countLoops(g *ir.Graph, src *diag.Source, out *explain.Loops, t *target.Target) error {
	count := func(p string, t *target.Target, add func(*roofline.Nest)) error {
		list, err := pass.Parse(p, s.Program.Passes)
		if err != nil {
			return err
		}
		_, err = s.passesOn(g, src, list, t, func(m *pass.Manager) {
			m.Show = func(x any) {
				if n, ok := x.(*roofline.Nest); ok {
					add(n)
				}
			}
		})
		return err
	}
	err := count(roofline.Info.Name, t, out.Add)
	if err == nil && out.Above() {
		alone := *t
		alone.Cores = 1
		var list []*roofline.Nest
		err = count(overMemory+roofline.Info.Name, &alone, func(n *roofline.Nest) { list = append(list, n) })
		out.Lowered(list)
	}
	if err != nil || !out.Uncounted() {
		return err
	}
	return count("inline,"+roofline.Info.Name, t, out.Inlined)
}

// passesOn runs passes and has a manager listen to them.
func (s *session) passesOn(g *ir.Graph, src *diag.Source, p *pass.Pipeline, t *target.Target, listen func(*pass.Manager)) (*ir.Graph, error) {
	m := s.Manager()
	m.Line, m.Target, m.Print = cli.Lines(src), t, s.Printer(src)
	listen(m)
	n, err := m.Run(s.Context, g, p)
	if err != nil {
		s.KeepFailure(err)
		return nil, s.Placed(g.Ctx, src, err)
	}
	return n, nil
}

// codeOfLoops takes the program down to the target and notes what the passes say and what LLVM makes of the loops.
func (s *session) codeOfLoops(g *ir.Graph, src *diag.Source, out *explain.Loops, t *target.Target, p *pass.Pipeline) error {
	given := len(p.Steps)
	p, err := s.Completed(p, t, ends.MostOptimised)
	if err != nil {
		return err
	}
	s.DumpPipeline(p)
	if g, err = s.passesOn(g, src, &pass.Pipeline{Steps: p.Steps[:given]}, t, func(m *pass.Manager) { m.Remark = out.Remark }); err != nil {
		return err
	}
	ctx := g.Ctx
	if g, err = s.Lowered(g, src, &pass.Pipeline{Steps: p.Steps[given:]}, t); err != nil {
		return s.Placed(ctx, src, err)
	}
	out.Shared(g)
	m, err := llvm.Emit(g, llvm.Options{Target: t, Cores: t.Cores > 1, Places: true})
	if err != nil {
		return s.Placed(ctx, src, err)
	}
	var lib jit.Compiler
	if held := s.Held(); held != nil {
		lib = engine.Compiler(s.Context, *held)
	} else {
		if lib, err = jit.Find(); err != nil {
			s.Sayf("no code is looked at: %v", err)
			return nil
		}
	}
	text, err := lib.Optimize(m.Text(), jit.Options{Level: cli.LevelOf(p), Triple: t.Triple, CPU: t.CPU, Features: strings.Join(t.Features, ",")})
	if err != nil {
		return err
	}
	out.Code(llvm.Widths(text))
	return nil
}

// loopSizes are the values of -D.
func (s *session) loopSizes() (map[string]int64, error) {
	given, err := s.Params()
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for name, text := range given {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, cli.Usagef("write -D "+name+"=100", "-D %s=%s is no integer of 64 bits", name, text)
		}
		out[name] = n
	}
	return out, nil
}

// areSizes refuses values of what no loop has as a size.
func areSizes(params []string, given map[string]int64) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(params, name) {
			continue
		}
		slices.Sort(params)
		fix := "the sizes of its loops are " + strings.Join(slices.Compact(params), ", ")
		if near := diag.Nearest(name, params); near != "" {
			fix = "did you mean " + near + "?"
		} else if len(params) == 0 {
			fix = "leave it out: all sizes of its loops are known"
		}
		return diag.Errorf(diag.Span{}, "no loop of the program has a size %s", name).WithFix("%s", fix)
	}
	return nil
}

// measured is a target with its speed: that of a file is what the file says, that of this machine is measured.
func (s *session) measured(t *target.Target) (*target.Target, error) {
	if t.PeakFlops != 0 && len(t.Bandwidth) > 0 {
		return t, nil
	}
	if name := s.Program.Targets[0].Name; s.Str("target") != name {
		return nil, diag.Errorf(diag.Span{}, "bounds need the speed of the target, and %s does not say its \"peak_flops\" and its \"bandwidth\"", s.Str("target")).
			WithFix("add both, or leave -target out: then this machine is measured")
	}
	out, err := probe.Measured(s.Context, t)
	var missing *engine.UnavailableError
	if errors.As(err, &missing) {
		return nil, s.CannotStart(err)
	}
	if err == nil {
		s.Sayf("measured: \"peak_flops\": %.4g, \"bandwidth\": %.4g", out.PeakFlops, out.Bandwidth)
	}
	return out, s.Stopped(err)
}
