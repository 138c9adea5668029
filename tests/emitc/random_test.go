package emitc

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/random"
)

var (
	programs  = flag.Int("programs", 25, "how many random programs are printed as C, compiled and run")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// config varies the shape of programs with the seed. What C lacks is left out but for some:
// those are refused.
func config(seed uint64) irtest.Config {
	return irtest.Config{Ops: []int{10, 25, 40, 80}[seed%4], Traps: seed%5 == 0, Wide: seed%8 == 7, Poison: seed%7 == 3, Vars: seed%3 == 1, Narrow: seed%25 == 24,
		NoPrint: true, Name: "p_"}
}

// Random programs do in C what they mean.
func TestRandom(t *testing.T) {
	needCompiler(t)
	var ended, trapped, refused int
	for seed := *firstSeed; seed < *firstSeed+uint64(*programs); seed++ {
		p := irtest.New(seed, config(seed))
		ctx := ir.NewContext(dialects.All...)
		read := func(verbatim bool) *ir.Graph {
			g, list := text.Parse(ctx, diag.NewSource("program.mlir", p.Text), text.Options{Verbatim: verbatim})
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			return ir.Settle(g)
		}
		want, err := random.Interpret(read(true), p, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := read(false)
		src, err := printed(t, g, c.Options{})
		var op *ir.OpError
		if errors.As(err, &op) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if want.Trap != "" { // it means nothing, but it is C
			trapped++
		}
		m, err := interp.New(g, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Resolve(p.Entry)
		if err != nil {
			t.Fatal(err)
		}
		args, err := random.Args(ctx, m, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := call{p.Entry, f.Params, f.Results, args}.run(t, ctx, src)
		switch {
		case err != nil && (want.Trap == "" || !errors.Is(err, errUndefined)):
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, p.Text, src)
		case want.Trap == "":
			ended++
			want.Kept, got.Kept = 0, 0
			if !got.Refines(want) {
				t.Fatalf("seed %d: got  %v\nwant %v\n%s\n%s", seed, got, want, p.Text, src)
			}
		case got.Trap != "" && !strings.HasPrefix(got.Trap, "irc: "):
			t.Fatalf("seed %d: %v", seed, got)
		}
	}
	t.Logf("%d programs ended, %d trapped, %d refused", ended, trapped, refused)
	if ended < *programs/2 {
		t.Errorf("only %d of %d programs ran", ended, *programs)
	}
}
