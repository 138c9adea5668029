package irctest

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
)

// anyKept is what may be left where nobody has decided yet when memory ends.
const anyKept = math.MaxInt64

// outcome is what a call does: what it gives, leaves in memory and prints.
type outcome struct {
	results, memory, printed []string // poison is "poison"
	trap                     string   // why it stopped; "" if it ended
	spent                    bool     // it took more ops than it was given
	kept                     int64    // blocks that it allocated and did not free
	near                     float64  // how far floats may be from these
}

func (o outcome) String() string {
	switch {
	case o.trap != "":
		return "trap: " + o.trap
	case o.spent:
		return "no end"
	}
	var out []string
	for _, x := range []struct {
		what string
		list []string
	}{{"results", o.results}, {"memory", o.memory}, {"printed", o.printed}} {
		if len(x.list) > 0 {
			out = append(out, x.what+" "+strings.Join(x.list, " "))
		}
	}
	if o.kept != anyKept {
		out = append(out, fmt.Sprintf("%d blocks of memory left", o.kept))
	}
	return strings.Join(out, ", ")
}

// means reports a program with a meaning: one that traps has none, and of one that does not end none is known.
func (o outcome) means() bool { return o.trap == "" && !o.spent }

// refines reports that o is allowed where want is what the program means: equal but for poison, in whose
// place anything may come, and with no more memory left behind.
func (o outcome) refines(want outcome) bool {
	return !want.means() || o.means() && o.kept <= want.kept &&
		refine(o.results, want.results, want.near) && refine(o.memory, want.memory, want.near) && refine(o.printed, want.printed, want.near)
}

func refine(got, want []string, near float64) bool {
	return irtest.Refines(got, want, func(g, w string) bool { return g == w || close(g, w, near) })
}

// close reports two floats, as text, that differ by no more than a part of them.
func close(got, want string, near float64) bool {
	if near == 0 {
		return false
	}
	x, err := strconv.ParseFloat(got, 64)
	y, bad := strconv.ParseFloat(want, 64)
	return err == nil && bad == nil && math.Abs(x-y) <= near*max(math.Abs(x), math.Abs(y))
}

// fuel is how many ops a random program may run: more than its loops of few iterations in one another need.
const fuel = 200_000

// call runs a function of a graph on the interpreter. The error is no trap: it says what cannot run. fits is false if the
// function does not take the arguments.
func call(g *ir.Graph, entry string, in input, opts interp.Options) (o outcome, fits bool, err error) {
	if opts.Fuel == 0 {
		opts.Fuel = fuel
	}
	var printed []interp.Printed
	watch := opts.Output
	opts.Output = func(p interp.Printed) {
		if printed = append(printed, p); watch != nil {
			watch(p)
		}
	}
	m, err := interp.New(g, opts)
	if err != nil {
		return o, false, err
	}
	f, err := m.Resolve(entry)
	if err != nil || f.Graph == nil {
		return o, false, nil
	}
	c := g.Ctx
	args, ok := in.vals(c, m, f.Params)
	if !ok {
		return o, false, nil
	}
	results, err := m.Call(entry, args)
	var budget *interp.Budget
	switch {
	case ir.IsTrap(err):
		o.trap = err.Error()
		return o, true, nil
	case errors.As(err, &budget):
		o.spent = true
		return o, true, nil
	case err != nil:
		return o, true, err
	}
	o.kept = m.Heap().Kept()
	o.record(c, f, results, args, printed)
	return o, true, nil
}

// record notes what a call has done.
func (o *outcome) record(c *ir.Context, f *interp.Function, results, args []ir.Val, printed []interp.Printed) {
	for i, v := range results {
		o.results = append(o.results, show(c, v, f.Results[i])...)
	}
	for _, a := range args {
		for _, r := range memories(a) {
			var cells [][]string
			for j := range r.Buf.Len() {
				cells = append(cells, show(c, r.Buf.Load(j), r.Buf.Elem))
			}
			o.memory = append(o.memory, byParts(cells)...)
		}
	}
	for _, p := range printed {
		if p.Kind == interp.PrintText {
			o.printed = append(o.printed, p.Text)
			continue
		}
		o.printed = append(o.printed, show(c, p.Val, p.Type)...)
	}
}

// memories are those in a value.
func memories(v ir.Val) (out []*interp.MemRef) {
	switch r := v.Ref.(type) {
	case *interp.MemRef:
		out = append(out, r)
	case ir.Vector:
		for _, x := range r {
			out = append(out, memories(x)...)
		}
	}
	return out
}

// unread counts programs that cannot be read, and says why the first one cannot.
type unread struct {
	mu    sync.Mutex
	n     int
	first error
}

func (u *unread) add(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n++; u.first == nil {
		u.first = err
	}
}

// log says how many there were.
func (u *unread) log(t testing.TB) {
	t.Helper()
	if u.n > 0 {
		why, _, _ := strings.Cut(u.first.Error(), "\n")
		t.Logf("%d programs are not read and prove nothing, the first because of %s", u.n, why)
	}
}

// parse reads a program: exactly as it is written, or normally.
func parse(c *ir.Context, src string, verbatim bool) (*ir.Graph, error) {
	g, ds := text.Parse(c, diag.NewSource("program.mlir", src), text.Options{Verbatim: verbatim})
	if err := ds.Err(); err != nil {
		return nil, err
	}
	return ir.Settle(g), nil
}
