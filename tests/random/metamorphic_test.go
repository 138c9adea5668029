package random

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
)

// settled: a graph that was settled does not change when it is rebuilt.
func settled(g *ir.Graph) error {
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	again := ir.Rewrite(g.Ctx, s, nil, nil)
	if ir.NewSchedule(again, ir.ScheduleOptions{}).Fingerprint() != s.Fingerprint() {
		return errors.New("rebuilding what was settled changes the program")
	}
	return nil
}

// Settle leaves a graph as it was built where it can tell that rebuilding changes
// nothing: what it gives must not change when it is rebuilt, nor when it is printed
// and read.
func TestSettled(t *testing.T) {
	t.Parallel()
	each(t, *programs, func(ctx *ir.Context, seed uint64) error {
		c := config(seed)
		c.Unknown = seed%11 == 4
		p := irtest.New(seed, c)
		g, ds := text.Parse(ctx, diag.NewSource("program.mlir", p.Text), text.Options{AllowUnregistered: c.Unknown})
		if err := ds.Err(); err != nil {
			return err
		}
		g = ir.Settle(g)
		err := settled(g)
		if err == nil && !c.Unknown {
			err = fixpoint(ctx, g)
		}
		if err != nil {
			out, _ := print(g, true)
			return fmt.Errorf("%w:\n%s", err, out)
		}
		return nil
	})
}

var id = regexp.MustCompile(`id = (\d+)`)

// ids lists the numbers of the unknown ops in the order of the text.
func ids(src string) (out []int) {
	for _, m := range id.FindAllStringSubmatch(src, -1) {
		n, _ := strconv.Atoi(m[1])
		out = append(out, n)
	}
	return out
}

// Ops of no dialect stay in their order; they go only with a region that never
// runs, and appear twice only where a region is copied.
func TestUnknownOpsStayInOrder(t *testing.T) {
	t.Parallel()
	var seen, kept atomic.Int64
	each(t, min(*programs, 2000), func(ctx *ir.Context, seed uint64) error {
		p := irtest.New(seed, irtest.Config{Unknown: true, Wide: seed%2 == 0})
		g, ds := text.Parse(ctx, diag.NewSource("program.mlir", p.Text), text.Options{AllowUnregistered: true})
		if err := ds.Err(); err != nil {
			return err
		}
		out, err := print(ir.Settle(g), true)
		if err != nil {
			return err
		}
		if len(ids(p.Text)) != p.IDs {
			return fmt.Errorf("%d unknown ops are written, %d counted", len(ids(p.Text)), p.IDs)
		}
		last := 0
		for _, n := range ids(out) {
			if n <= last {
				return fmt.Errorf("op %d comes after %d:\n%s\nis printed as\n%s", n, last, p.Text, out)
			}
			last = n
			kept.Add(1)
		}
		seen.Add(int64(p.IDs))
		outer := 0 // those directly in functions must all be there
		for _, line := range strings.Split(p.Text, "\n") {
			if strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "     ") && id.MatchString(line) {
				n := ids(line)[0]
				if !strings.Contains(out, fmt.Sprintf("id = %d ", n)) {
					return fmt.Errorf("op %d is lost:\n%s\nis printed as\n%s", n, p.Text, out)
				}
				outer++
			}
		}
		return nil
	})
	t.Logf("%d of %d unknown ops are kept", kept.Load(), seen.Load())
	if 2*kept.Load() < seen.Load() {
		t.Errorf("only %d of %d unknown ops are kept", kept.Load(), seen.Load())
	}
}

// What mlir-opt makes of what we print does the same.
func TestThroughMLIR(t *testing.T) {
	t.Parallel()
	opt, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("random programs go through MLIR: needs mlir-opt-19 (mlir-19-tools)")
	}
	const batch = 100
	var compared atomic.Int64
	each(t, min(*programs, 2000)/batch, func(ctx *ir.Context, at uint64) error {
		first := *firstSeed + (at-*firstSeed)*batch
		var ps []*irtest.Program
		var wants []Outcome
		var all []string
		var count tally
		for seed := first; seed < first+batch; seed++ {
			c := config(seed)
			c.Poison, c.Guarded, c.Sizes = false, false, false // MLIR has no ub.freeze, and makes types of constant sizes that no engine runs
			p := irtest.New(seed, c)
			want, g, err := oracle(ctx, p, &count)
			if err != nil {
				return err
			}
			if want.Trap != "" {
				continue // means nothing
			}
			out, err := print(g, true)
			if err != nil {
				return err
			}
			ps, wants, all = append(ps, p), append(wants, want), append(all, out)
		}
		outs, err := optimize(opt, all)
		if err != nil {
			return err
		}
		for i, out := range outs {
			h, err := parse(ctx, out, true)
			if err == nil {
				err = same(h, ps[i], interp.Options{}, wants[i])
			}
			if err != nil {
				return fmt.Errorf("seed %d: %w\n%s\nbecame\n%s", ps[i].Seed, err, all[i], out)
			}
			compared.Add(1)
		}
		return nil
	})
	t.Logf("%d programs compared", compared.Load())
}

// optimize runs mlir-opt on programs.
func optimize(opt string, programs []string) ([]string, error) {
	cmd := exec.Command(opt, "-allow-unregistered-dialect", "-split-input-file", "-canonicalize", "-cse", "-loop-invariant-code-motion", "-mlir-print-op-generic")
	cmd.Stdin = strings.NewReader(strings.Join(programs, "// -----\n"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("mlir-opt: %w: %.2000s", err, errs.String())
	}
	outs := strings.Split(out.String(), "// -----\n")
	if len(outs) != len(programs) {
		return nil, fmt.Errorf("mlir-opt: %d programs became %d", len(programs), len(outs))
	}
	return outs, nil
}
