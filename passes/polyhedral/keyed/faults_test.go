package keyed

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// failing is a plan that fails after a while.
type failing struct {
	name string
	wait time.Duration
}

func (x failing) emit(*ir.Mirror, map[string]ir.Value) (ir.Value, error) {
	time.Sleep(x.wait)
	return 0, errors.New(x.name)
}

// Functions are rebuilt at once: the error is that of the function that stands first, whichever fails first.
func TestFirstFaultOfManyFunctions(t *testing.T) {
	var src strings.Builder
	for _, name := range []string{"@a", "@b", "@c"} {
		src.WriteString(strings.Replace(Info.Example, "@f", name, 1))
	}
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("m.mlir", src.String()), text.Options{})
	if list.Err() != nil {
		t.Fatal(list.Err())
	}
	for _, longest := range []int{0, 2} {
		plans := rewritings{of: map[ir.Node]rewriting{}}
		names := []string{"first", "second", "third"}
		err := systems.Each(g, func(sys *poly.System) error {
			at := 3 - len(names)
			for _, st := range sys.Statements {
				plans.add(st, rewriting{sys, failing{names[0], time.Duration(2-max(at-longest, longest-at)) * 10 * time.Millisecond}})
			}
			names = names[1:]
			return nil
		})
		if err != nil || len(names) > 0 {
			t.Fatalf("%v, %v are not there", err, names)
		}
		if _, err := plans.apply(g); err == nil || !strings.Contains(err.Error(), "first") {
			t.Errorf("the error is %v", err)
		}
	}
}
