package derivatives

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// A nest that is forty regions deep takes no longer than its text is long, about: no region is gone through, or built, twice for each
// one around it.
func TestDeepNests(t *testing.T) {
	t.Parallel()
	const depth = 40
	for what, open := range map[string]string{
		"loops":    "%%r%[1]d = scf.for %%i%[1]d = %%c0 to %%n step %%c1 iter_args(%%s%[1]d = %[2]s) -> (f64) {\n%%a%[1]d = math.sin %%s%[1]d : f64",
		"branches": "%%t%[1]d = arith.cmpf ogt, %[2]s, %%x : f64\n%%r%[1]d = scf.if %%t%[1]d -> (f64) {\n%%a%[1]d = math.sin %[2]s : f64",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			b.WriteString("func.func @f(%x: f64, %n: index) -> f64 {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n")
			end, y := "}", "%x"
			if what == "branches" {
				end = "} else {\nscf.yield %x : f64\n}"
			}
			for i := range depth {
				fmt.Fprintf(&b, open+"\n", i, y)
				y = fmt.Sprintf("%%a%d", i)
			}
			for i := depth - 1; i >= 0; i-- {
				fmt.Fprintf(&b, "%%q%[1]d = arith.mulf %[2]s, %%a%[1]d : f64\nscf.yield %%q%[1]d : f64\n%[3]s\n", i, y, end)
				y = fmt.Sprintf("%%r%d", i)
			}
			fmt.Fprintf(&b, "return %s : f64\n}\n", y)
			p, err := pass.Parse("differentiate{of=f}", lowering.AllPasses())
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if _, err := (&pass.Manager{}).Run(ctx, parsed(t, b.String()), p); err != nil || ctx.Err() != nil {
				t.Fatal(err, ctx.Err())
			}
		})
	}
}
