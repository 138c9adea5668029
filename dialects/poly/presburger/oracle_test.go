package presburger

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	oracleCases = flag.Int("isl", 5000, "random cases beside isl")
	oracleSeed  = flag.Uint64("islseed", 1, "seed of the random cases")
)

// oracle is isl behind a line protocol.
type oracle struct {
	in  io.Writer
	out *bufio.Reader
}

// startOracle compiles testdata/isl_oracle.c; without a C compiler or isl the test
// is skipped.
func startOracle(t *testing.T) *oracle {
	t.Helper()
	o := optionalOracle(t)
	if o == nil {
		t.Skip("needs a C compiler and libisl-dev")
	}
	return o
}

// optionalOracle is nil without a C compiler or isl.
func optionalOracle(t *testing.T) *oracle {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "oracle")
	built := false
	for _, cc := range []string{"cc", "gcc", "clang-19", "clang"} {
		if _, err := exec.LookPath(cc); err == nil && exec.Command(cc, "-w", "-D_GNU_SOURCE", "-O1", "testdata/isl_oracle.c", "-o", exe, "-lisl").Run() == nil {
			built = true
			break
		}
	}
	if !built {
		return nil
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "ISL_MAXOPS=200000")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	return &oracle{in, bufio.NewReaderSize(out, 1<<20)}
}

// ask returns the answer, or an error of isl's.
func (o *oracle) ask(args ...string) (string, error) {
	fmt.Fprintln(o.in, strings.Join(args, "|"))
	line, err := o.out.ReadString('\n')
	if err != nil {
		return "", err
	}
	kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
	if kind != "ok" {
		return "", fmt.Errorf("isl: %s", rest)
	}
	return strings.ReplaceAll(rest, "\\n", "\n"), nil
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
		want, ierr := o.ask(c.islArgs()...)
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
		got := r.String()
		if c.Op == "complement" && strings.HasSuffix(want, "{ [] }") {
			continue // the oracle loses the space of an empty set
		}
		if c.Op == "gist" {
			var e1, e2 error
			got, e1 = o.ask("intersect", got, c.Inputs[1])
			want, e2 = o.ask("intersect", c.Inputs[0], c.Inputs[1])
			if e1 != nil || e2 != nil {
				quota++
				continue
			}
		}
		eq, err := o.ask("is_equal", got, want)
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
	t.Logf("by operation: %v", ops)
	t.Logf("%d cases; isl gave up on %d, unbounded %d, ours over budget %d, isl wrong %d", *oracleCases, quota, unbounded, slow, wrong)
}
