package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/tests/isl/inputs"
)

// maxRun is how many instances are executed, as by isl, and maxTimes how many times are
// listed where instances have several.
const (
	maxRun   = 20_000
	maxTimes = 500_000
)

// sizes are some values of the parameters for which there are instances, small ones.
func sizes(in inputs.Code, n int) (out []map[string]int64) {
	times := in.Times.AlignParams(in.Context.Params()...)
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
	if cs := in.Context.AlignParams(params...).Basics(); len(cs) > 0 {
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

// compare compares what our code executes with what isl's does.
func compare(in inputs.Code, isl inputs.Oracle, file string) error {
	b, err := in.Generate()
	if err != nil {
		return err
	}
	values := sizes(in, 6)
	runs, err := isl.Execute(file, values)
	if err != nil {
		return err
	}
	for i, theirs := range runs {
		var ours bytes.Buffer
		n := 0
		err := codegen.Run(b, values[i], func(s string, args []int64) bool {
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
			return fmt.Errorf("at %v: %w", values[i], err)
		}
		if ours.String() == theirs {
			continue
		}
		if err := allowed(in, ours.String(), theirs, values[i]); err != nil {
			return fmt.Errorf("at %v: %w", values[i], err)
		}
	}
	return nil
}

// allowed reports a difference between two sequences that the schedule does not allow:
// they have the same instances as often, at the same times in the same order.
func allowed(in inputs.Code, ours, theirs string, at map[string]int64) error {
	a, b := strings.Split(strings.TrimSuffix(ours, "\n"), "\n"), strings.Split(strings.TrimSuffix(theirs, "\n"), "\n")
	if len(a) != len(b) {
		return fmt.Errorf("%d instances instead of %d", len(a), len(b))
	}
	x, y := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	for i := range x {
		if x[i] != y[i] && len(a) < maxRun { // at the end of a longer run are any of one time
			return fmt.Errorf("instances differ: %q beside %q", x[i], y[i])
		}
	}
	at1, err := sequence(in.Times, a, at)
	if err != nil {
		return err
	}
	at2, err := sequence(in.Times, b, at)
	if err != nil {
		return fmt.Errorf("isl's: %w", err)
	}
	for i, t := range at1 {
		if slices.CompareFunc(t, at2[i], presburger.Int.Cmp) != 0 {
			return fmt.Errorf("%s at %v where isl has %s at %v", a[i], t, b[i], at2[i])
		}
	}
	return nil
}

// sequence are the times of instances that are executed in this order: none comes after
// one of a greater time.
func sequence(m presburger.Map, instances []string, at map[string]int64) (out [][]presburger.Int, err error) {
	times, err := timesOf(m, instances, at)
	if err != nil {
		return nil, fmt.Errorf("another order: %w", err)
	}
	for i, s := range instances {
		ts := times[s]
		if len(ts) == 0 {
			return nil, fmt.Errorf("%s has no time", s)
		}
		if i > 0 && slices.CompareFunc(out[i-1], ts[0], presburger.Int.Cmp) > 0 {
			return nil, fmt.Errorf("%s at %v comes after time %v", s, ts[0], out[i-1])
		}
		out, times[s] = append(out, ts[0]), ts[1:]
	}
	return out, nil
}

// timesOf are the times of some instances, in order.
func timesOf(m presburger.Map, instances []string, at map[string]int64) (times map[string][][]presburger.Int, err error) {
	params := map[string]presburger.Int{}
	for p, v := range at {
		params[p] = presburger.NewInt(v)
		m = m.FixParam(p, params[p])
	}
	times = map[string][][]presburger.Int{}
	for _, part := range m.Maps() {
		t, _ := part.Tuples()
		f, err := part.AsPwMultiAff()
		if err != nil {
			if err := listed(part, times); err != nil {
				return nil, err
			}
			continue
		}
		for _, s := range instances {
			words := strings.Fields(s)
			if strings.HasPrefix(s, " ") || len(words) == 0 { // of a tuple without a name
				words = append([]string{""}, words...)
			}
			if words[0] != t.Name() || len(words) != 1+t.Len() || times[s] != nil {
				continue
			}
			x := make([]presburger.Int, t.Len())
			for i, w := range words[1:] {
				v, err := strconv.ParseInt(w, 10, 64)
				if err != nil {
					return nil, err
				}
				x[i] = presburger.NewInt(v)
			}
			v, ok, err := f.Eval(x, params)
			if err != nil {
				return nil, err
			}
			if ok {
				var time []presburger.Int
				for _, r := range v {
					time = append(time, r.Num)
				}
				times[s] = [][]presburger.Int{time}
			}
		}
	}
	return times, nil
}

// listed adds all times of a part.
func listed(part presburger.Map, times map[string][][]presburger.Int) error {
	t, _ := part.Tuples()
	points, err := part.Wrap().Points()
	if err != nil {
		return err
	}
	n := 0
	for p := range points {
		if n++; n > maxTimes {
			return fmt.Errorf("more than %d times", maxTimes)
		}
		name := t.Name()
		for _, c := range p[:t.Len()] {
			name += " " + c.String()
		}
		times[name] = append(times[name], p[t.Len():])
	}
	return nil
}

// timed is the CPU time of a function, a mean.
func timed(f func() error) (time.Duration, error) {
	start := irtest.ProcessorTime()
	for n := 1; ; n++ {
		if err := f(); err != nil {
			return 0, err
		}
		if d := irtest.ProcessorTime() - start; d > 100*time.Millisecond || n == 300 {
			return d / time.Duration(n), nil
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
	isl, err := inputs.Compile(tmp)
	if err != nil {
		return err
	}
	files, err := inputs.CodeFiles(dir)
	if err != nil {
		return err
	}
	agree, all := 0, 0
	var sum ratios
	for _, f := range files {
		if only != "" && !strings.Contains(f, only) {
			continue
		}
		all++
		in, err := inputs.ReadCode(f)
		if err == nil {
			err = compare(in, isl, f)
		}
		if err == nil {
			agree++
		} else if failures {
			fmt.Printf("%s: %v\n", f, err)
		}
		if !speed {
			continue
		}
		ours, err := timed(func() error { _, err := in.Generate(); return err })
		if err != nil {
			continue
		}
		theirs, err := isl.GenerateTime(f)
		if err != nil {
			return err
		}
		sum.add(f, ours, theirs, failures)
	}
	percent := 100 * float64(agree) / float64(max(all, 1))
	fmt.Printf("code of isl's inputs: %d of %d execute the same (%.1f %%)\n", agree, all, percent)
	if speed {
		fmt.Println(sum)
	}
	if percent < least {
		return fmt.Errorf("less than %g %%", least)
	}
	return nil
}

// ratios sum up times.
type ratios struct {
	ours, theirs time.Duration
	worst        float64
	file         string
}

func (r *ratios) add(file string, ours, theirs time.Duration, print bool) {
	r.ours, r.theirs = r.ours+ours, r.theirs+theirs
	x := float64(ours) / float64(theirs)
	if x > r.worst {
		r.worst, r.file = x, file
	}
	if print {
		fmt.Printf("%10v %10v %6.2f  %s\n", ours.Round(time.Microsecond), theirs.Round(time.Microsecond), x, file)
	}
}

func (r ratios) String() string {
	return fmt.Sprintf("CPU time: %v, isl %v: %.2fx; at most %.1fx (%s)", r.ours, r.theirs, float64(r.ours)/float64(r.theirs), r.worst, filepath.Base(r.file))
}
