package libm_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/irc-lang/irc/lowering/libm"
)

var (
	update  = flag.Bool("update", false, "write docs/libm.md again")
	records = flag.Bool("record", false, "write the greatest errors seen to testdata/measured.txt")
)

// measured is the greatest error that a test has seen.
type measured struct {
	op, format, how string // sampled or exhaustive
	points          int64
	ulp             float64
}

const measuredFile = "testdata/measured.txt"

func readMeasured(t *testing.T) (out []measured) {
	t.Helper()
	data, err := os.ReadFile(measuredFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var m measured
		if _, err := fmt.Sscan(line, &m.op, &m.format, &m.how, &m.points, &m.ulp); err == nil {
			out = append(out, m)
		}
	}
	return out
}

// record keeps a measurement of at least as many points as the one on file.
func record(t *testing.T, m measured) {
	t.Helper()
	if !*records {
		return
	}
	all := readMeasured(t)
	i := slices.IndexFunc(all, func(x measured) bool { return x.op == m.op && x.format == m.format && x.how == m.how })
	switch {
	case i < 0:
		all = append(all, m)
	case m.points >= all[i].points:
		all[i] = m
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return a.op+a.format+a.how < b.op+b.format+b.how
	})
	var b strings.Builder
	b.WriteString("op format how points ulp\n")
	for _, m := range all {
		fmt.Fprintf(&b, "%s %s %s %d %.3f\n", m.op, m.format, m.how, m.points, m.ulp)
	}
	if err := os.WriteFile(measuredFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

const docHead = `# Functions lowered to arithmetic

For people who compile for targets without a mathematical library, and ask how exact the functions are. This page is made
from the table in lowering/libm by ` + "`go test ./lowering/libm -run Doc -update`" + `; a test fails when it is stale.

The pass ` + "`lower-math`" + ` (package lowering/libm) rewrites these ops to arith and to what hardware has of math (fma, sqrt, absf,
floor, copysign): for targets without a mathematical library, and so that loops vectorise. It works on f32 and f64, and
vectors of them; f16 and bf16 are computed as f32. f32 computes in f32 throughout, double-word arithmetic included.
Infinities, NaN, signed zeros and subnormal numbers are as in annex F of C99; the tests hold them to the interpreter's.

Errors are in units in the last place of the result, over the whole range. "Seen" is the greatest error against references of
200 bits (tests/libm/ref), on so many stratified arguments: the function's interval, all exponents, the neighbourhoods
of hard places. "Survey" is the greatest error over all 2^32 arguments, or every 67th of them, against the same op on f64
(TestExhaustive with -exhaustive or -stride=67).

| op | bound f32 | seen | arguments | survey | bound f64 | seen | arguments | method | not so |
|---|---|---|---|---|---|---|---|---|---|
`

var bar = strings.NewReplacer("|", `\|`)

func document(t *testing.T) string {
	t.Helper()
	all := readMeasured(t)
	find := func(op, format, how string) (seen, points string) {
		for _, m := range all {
			if m.op == op && m.format == format && m.how == how {
				return fmt.Sprintf("%.2f", m.ulp), fmt.Sprint(m.points)
			}
		}
		return "", ""
	}
	var b strings.Builder
	b.WriteString(docHead)
	for _, f := range libm.Table {
		s32, n32 := find(f.Op.Name, "f32", "sampled")
		e32, _ := find(f.Op.Name, "f32", "exhaustive")
		if e32 != "" {
			e32 += ", all"
		} else if e32, _ = find(f.Op.Name, "f32", "every-67"); e32 != "" {
			e32 += ", 1 in 67"
		}
		s64, n64 := find(f.Op.Name, "f64", "sampled")
		fmt.Fprintf(&b, "| `%s` | %v | %s | %s | %s | %v | %s | %s | %s | %s |\n", f.Op.Name, f.F32, s32, n32, e32, f.F64, s64, n64, bar.Replace(f.How), bar.Replace(f.Except))
	}
	b.WriteString(docTail)
	return b.String()
}

const docTail = `
The incomplete functions, ` + "`special.gammainc`, `gammaincc`, `gammaincinv`, `betainc` and `betaincinv`" + `, become loops that converge, of numbers of up
to 64 bits (dialects/prob/incomplete.go). What has no lowering: these of vectors and tensors; types f80 and f128; tensors of unknown extents.

Nanoseconds for an element of a loop over 4096, LLVM 19 at O3 on a Xeon with AVX-512, best of 40 runs on a busy machine
(go test ./lowering/libm -run XXX -bench Throughput); libmvec (4 ulp) by clang 19 with -ffast-math -fveclib=libmvec, which
has no vector tanh for f32:

| | lowered | calls of libm | libmvec |
|---|---|---|---|
| exp f64 | 1.09 | 4.10 | 0.78 |
| log f64 | 1.43 | 4.57 | 1.08 |
| sin f64 | 7.22 | 6.16 | 0.84 |
| tanh f64 | 3.24 | 9.64 | |
| exp f32 | 0.38 | 2.74 | 0.35 |
| log f32 | 0.57 | 3.43 | 0.51 |
| sin f32 | 3.04 | 4.67 | 0.36 |
| tanh f32 | 1.78 | 9.98 | 8.09 |

Large angles: sin, cos and tan of scalars take the reduction of Payne and Hanek in an ` + "`scf.if`" + `; of vectors both
reductions are computed, and so they are where LLVM vectorises a loop: there the C library's are faster.
`

func TestDoc(t *testing.T) {
	const path = "../../docs/libm.md"
	want := document(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/libm.md is stale: go test ./lowering/libm -run Doc -update")
	}
}
