package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// An input is a schedule as a tree, or as a map with a context and options.
type input struct {
	tree             *schedule.Node
	times            presburger.Map
	context          presburger.Set
	options          presburger.Map
	parsed, generate time.Duration
}

func readInput(file string) (in input, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return in, err
	}
	if strings.HasSuffix(file, ".st") {
		if in.tree, err = schedule.Parse(string(text)); err != nil {
			return in, err
		}
		for _, n := range in.tree.All() {
			if n.Kind() == schedule.Context && n.Set().Tuple().Len() == 0 {
				in.context = n.Set()
				break
			}
		}
		in.times, err = in.tree.Map()
		return in, err
	}
	parts := objects(string(text))
	if len(parts) < 3 {
		return in, fmt.Errorf("%d sets and maps instead of 3", len(parts))
	}
	if in.times, err = presburger.ParseMap(parts[0]); err != nil {
		return in, err
	}
	if in.context, err = presburger.ParseSet(parts[1]); err != nil {
		return in, err
	}
	in.options, err = presburger.ParseMap(parts[2])
	return in, err
}

// objects divides a text into sets and maps: each ends with a brace.
func objects(text string) (out []string) {
	var lines []string
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "#") {
			lines = append(lines, l)
		}
	}
	text = strings.Join(lines, "")
	for {
		i := strings.IndexByte(text, '}')
		if i < 0 {
			return out
		}
		out, text = append(out, text[:i+1]), text[i+1:]
	}
}

func (in input) code() (*codegen.Block, error) {
	if in.tree != nil {
		return codegen.Generate(in.tree, presburger.Set{}, codegen.Options{})
	}
	return codegen.GenerateMap(in.times, in.context, in.options, codegen.Options{})
}

// maxRun is how many instances are executed, maxTimes how many have their time looked up.
const (
	maxRun   = 20_000
	maxTimes = 500_000
)

// sizes are some values of the parameters for which there are instances, small ones.
func (in input) sizes(n int) (out []map[string]int64) {
	times := in.times.AlignParams(in.context.Params()...)
	params := times.Params()
	var s presburger.Set
	for _, b := range times.Basics() {
		b.In, b.Out = presburger.Tuple{}, presburger.NewTuple("", make([]string, b.In.Len()+b.Out.Len())...)
		k := b.Out.Len()
		b.Params, b.Out = nil, presburger.NewTuple("", make([]string, len(params)+k)...)
		one, err := presburger.SetOf(b).ProjectOut(len(params), k)
		if err != nil {
			return nil
		}
		s = s.Union(one)
	}
	if len(s.Basics()) == 0 {
		return nil
	}
	if cs := in.context.AlignParams(params...).Basics(); len(cs) > 0 {
		var c presburger.Set
		for _, b := range cs {
			b.Params, b.Out = nil, presburger.NewTuple("", make([]string, len(params))...)
			c = c.Union(presburger.SetOf(b))
		}
		if s, _ = s.Intersect(c); len(s.Basics()) == 0 {
			return nil
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		at, left, ok := map[string]int64{}, s, true
		for i, p := range params {
			found := false
			for _, v := range tries(rng) {
				f := left.Fix(i, presburger.NewInt(v))
				if empty, err := f.IsEmpty(); err == nil && !empty {
					at[p], left, found = v, f, true
					break
				}
			}
			if !found {
				x, some, err := left.Sample()
				if err != nil || !some {
					ok = false
					break
				}
				at[p], _ = x.Coords[i].Int64()
				left = left.Fix(i, x.Coords[i])
			}
		}
		if ok {
			out = append(out, at)
		}
		if len(params) == 0 {
			break
		}
	}
	return out
}

func tries(rng *rand.Rand) []int64 {
	out := []int64{0, 1, 2, 3, 4, 5, 7, 10, 12, 20, 33, 40}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// check compares what our code executes with what isl's does.
func (in input) check(exe, file string) error {
	b, err := in.code()
	if err != nil {
		return err
	}
	sizes := in.sizes(6)
	var lines strings.Builder
	for _, at := range sizes {
		for k, v := range at {
			fmt.Fprintf(&lines, "%s=%d ", k, v)
		}
		lines.WriteString("\n")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, file)
	cmd.Stdin = strings.NewReader(lines.String())
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("isl: %w", err)
	}
	for i, theirs := range strings.Split(strings.TrimSuffix(string(text), "end\n"), "end\n")[:len(sizes)] {
		var ours bytes.Buffer
		n := 0
		err := codegen.Run(b, sizes[i], func(s string, args []int64) bool {
			ours.WriteString(s)
			for _, a := range args {
				ours.WriteByte(' ')
				ours.WriteString(strconv.FormatInt(a, 10))
			}
			ours.WriteByte('\n')
			n++
			return n < maxRun
		})
		if err != nil {
			return err
		}
		if ours.String() == theirs {
			continue
		}
		if err := in.allowed(ours.String(), theirs, sizes[i]); err != nil {
			return fmt.Errorf("at %v: %w", sizes[i], err)
		}
	}
	return nil
}

// allowed reports a difference between two sequences that the schedule does not allow:
// they have the same instances as often, and in ours each is not before one of a lesser
// time.
func (in input) allowed(ours, theirs string, at map[string]int64) error {
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	x, y := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	if !slices.Equal(x, y) {
		for i := range min(len(x), len(y)) {
			if x[i] != y[i] {
				return fmt.Errorf("%d instances instead of %d; %q beside %q", len(a)-1, len(b)-1, x[i], y[i])
			}
		}
		return fmt.Errorf("%d instances instead of %d", len(a)-1, len(b)-1)
	}
	m := in.times
	for p, v := range at {
		m = m.FixParam(p, presburger.NewInt(v))
	}
	times, n := map[string][][]presburger.Int{}, 0
	for _, part := range m.Maps() {
		t, _ := part.Tuples()
		points, err := part.Wrap().Points()
		if err != nil {
			return fmt.Errorf("another order, of times that are not known: %w", err)
		}
		for p := range points {
			if n++; n > maxTimes {
				return fmt.Errorf("another order, of more than %d instances", maxTimes)
			}
			name := t.Name()
			for _, c := range p[:t.Len()] {
				name += " " + c.String()
			}
			times[name] = append(times[name], p[t.Len():])
		}
	}
	var last []presburger.Int
	for _, s := range a[:len(a)-1] {
		ts := times[s]
		if len(ts) == 0 {
			return fmt.Errorf("%s has no time", s)
		}
		if last != nil && slices.CompareFunc(last, ts[0], presburger.Int.Cmp) > 0 {
			return fmt.Errorf("%s at %v comes after time %v", s, ts[0], last)
		}
		last, times[s] = ts[0], ts[1:]
	}
	return nil
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// timeOurs is the CPU time of generating the code once.
func (in input) timeOurs() time.Duration {
	start := cpu()
	for n := 1; ; n++ {
		in.code()
		if d := cpu() - start; d > 100*time.Millisecond || n == 1000 {
			return d / time.Duration(n)
		}
	}
}

// runCodegen compares the code of isl's inputs, and with speed the time that it takes.
func runCodegen(dir, only string, failures, speed bool, least float64) error {
	tmp, err := os.MkdirTemp("", "irc_codegen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	exe := filepath.Join(tmp, "oracle")
	src := "tests/isl/testdata/codegen_oracle.c"
	if out, err := exec.Command("cc", "-O2", "-w", src, "-o", exe, "-lisl").CombinedOutput(); err != nil {
		return fmt.Errorf("no oracle without a C compiler and libisl-dev: %w\n%s", err, out)
	}
	var files []string
	for _, p := range []string{"*.st", "*.in", "*/*.st", "*/*.in"} {
		fs, err := filepath.Glob(filepath.Join(dir, "test_inputs/codegen", p))
		if err != nil {
			return err
		}
		files = append(files, fs...)
	}
	if len(files) == 0 {
		return errors.New("no inputs in test_inputs/codegen")
	}
	agree, all := 0, 0
	var total, totalISL time.Duration
	worst, worstFile := 0.0, ""
	for _, f := range files {
		if only != "" && !strings.Contains(f, only) {
			continue
		}
		all++
		in, err := readInput(f)
		if err == nil {
			err = in.check(exe, f)
		}
		if err == nil {
			agree++
		} else if failures {
			fmt.Printf("%s: %v\n", f, err)
		}
		if speed {
			out, err := exec.Command(exe, "-t", f).Output()
			s, err2 := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			theirs, ours := time.Duration(s*1e9), in.timeOurs()
			total, totalISL = total+ours, totalISL+theirs
			r := float64(ours) / float64(theirs)
			if r > worst {
				worst, worstFile = r, f
			}
			if failures {
				fmt.Printf("%10v %10v %6.2f  %s\n", ours.Round(time.Microsecond), theirs.Round(time.Microsecond), r, f)
			}
		}
	}
	percent := 100 * float64(agree) / float64(max(all, 1))
	fmt.Printf("code of isl's inputs: %d of %d execute the same (%.1f %%)\n", agree, all, percent)
	if speed {
		fmt.Printf("CPU time: %v, isl %v: %.2fx; at most %.1fx (%s)\n", total, totalISL, float64(total)/float64(totalISL), worst, filepath.Base(worstFile))
	}
	if percent < least {
		return fmt.Errorf("less than %g %%", least)
	}
	return nil
}
