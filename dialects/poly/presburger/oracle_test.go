package presburger

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects/poly/internal/oracle"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
)

var (
	oracleCases = flag.Int("isl", 600, "random cases beside isl")
	oracleSeed  = flag.Uint64("islseed", 1, "seed of the random cases")
)

// startOracle runs isl; without it, or a C compiler, the test is skipped.
func startOracle(t *testing.T) *oracle.Oracle {
	t.Helper()
	o := optionalOracle(t)
	if o == nil {
		t.Skip("needs a C compiler and libisl-dev")
	}
	return o
}

// optionalOracle is nil without a C compiler or isl.
func optionalOracle(t *testing.T) *oracle.Oracle {
	return oracle.Start(t, "testdata/isl_oracle.c", 200_000)
}

// islArgs is the request for isl.
func (c setCase) islArgs() []string {
	args := append([]string{c.Op}, c.Inputs...)
	if c.Extra != nil {
		args = append(args, *c.Extra)
	}
	return args
}

// TestOracle compares random operations with isl; testdata/runs.md lists long runs.
func TestOracle(t *testing.T) {
	o := startOracle(t)
	if testing.Short() {
		*oracleCases = min(*oracleCases, 500)
	}
	begin, ops := time.Now(), map[string]int{}
	quota, unbounded, slow, wrong := 0, 0, 0, 0
	for i := range *oracleCases {
		g := newGen(*oracleSeed, uint64(i))
		random := g.trial()
		ops[random.op]++
		if i > 0 && i%100_000 == 0 {
			fmt.Printf("%d of %d cases, %v\n", i, *oracleCases, time.Since(begin).Round(time.Second))
		}
		c := random.setCase()
		if os.Getenv("VERBOSE") != "" {
			fmt.Fprintln(os.Stderr, i, c.Op, c.Inputs)
		}
		start := time.Now()
		r, b, err := evalCase(c)
		ours := time.Since(start)
		start = time.Now()
		want, ierr := o.Ask(c.islArgs()...)
		if theirs := time.Since(start); ours > time.Second {
			t.Logf("%d %s takes %v, isl %v: %q", i, c.Op, ours, theirs, c.Inputs)
		}
		switch {
		case err == ErrUnbounded && ierr != nil:
			unbounded++
			continue
		case err == ErrBudget:
			slow++
			continue
		case ierr != nil:
			if strings.Contains(ierr.Error(), "isl ends") {
				t.Logf("%d %s %q: %v", i, c.Op, c.Inputs, ierr)
			}
			quota++
			continue
		case err != nil:
			t.Errorf("%d %s %q: %v; isl says %s", i, c.Op, c.Inputs, err, want)
			continue
		}
		if b != nil {
			if fmt.Sprint(*b) != want {
				t.Errorf("%d %s %q: %v; isl says %s", i, c.Op, c.Inputs, *b, want)
			}
			continue
		}
		got := notation.Relation(r)
		if c.Op == "complement" && strings.HasSuffix(want, "{ [] }") {
			continue // the oracle loses the space of an empty set
		}
		if c.Op == "gist" {
			var e1, e2 error
			got, e1 = o.Ask("intersect", got, c.Inputs[1])
			want, e2 = o.Ask("intersect", c.Inputs[0], c.Inputs[1])
			if e1 != nil || e2 != nil {
				quota++
				continue
			}
		}
		eq, err := o.Ask("is_equal", got, want)
		if err != nil {
			quota++
			t.Logf("%d %s: %v of %.200s", i, c.Op, err, got)
			continue
		}
		if eq != "true" && (g.bounded || random.pointwise()) && random.brute() == "" {
			t.Logf("%d %s: isl is wrong, as enumeration shows: %q is not %s", i, c.Op, c.Inputs, want)
			wrong++
		} else if eq != "true" {
			t.Errorf("%d %s %q:\n  ours %.2000s\n  isl  %.2000s", i, c.Op, c.Inputs, got, want)
		}
	}
	if quota+slow+o.Crashes > 10+*oracleCases/100 {
		t.Errorf("of %d cases isl gave up on %d, ours on %d; isl crashed %d times", *oracleCases, quota, slow, o.Crashes)
	}
	t.Logf("by operation: %v", ops)
	t.Logf("%d cases; isl gave up on %d, unbounded %d, ours over budget %d, isl wrong %d, isl crashed %d", *oracleCases, quota, unbounded, slow, wrong, o.Crashes)
}
