package depend

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

var nestCases = flag.Int("nests", 25, "random nests whose flow is compared with executing them, and with isl")

// nest is a random program: its accesses as texts.
type nest struct{ sink, must, may, kill, schedule string }

// nestMaker makes random nests; injective forbids two instances of one statement at
// the same time.
type nestMaker struct {
	random
	injective bool
}

// nest makes two or three statements in loops that some of them share, with reads and
// writes of two arrays; sometimes the schedule leaves instances unordered.
func (g nestMaker) nest() (n nest) {
	var parts [5][]string
	statements := 2 + g.IntN(2)
	shared := g.IntN(3)
	common := g.domain(3)
	ties := g.IntN(5) == 0 && !g.injective
	for s := range statements {
		depth := max(1, min(3, shared+g.IntN(2)))
		dom := strings.Join(firstBounds(common, depth), " and ")
		if shared == 0 || g.IntN(3) == 0 {
			dom = g.domain(depth)
		}
		if g.IntN(6) == 0 {
			dom += " and " + g.affine(append([]string{"N"}, loopNames[:depth]...), 2, 3) + " >= 0"
		}
		stmt := fmt.Sprintf("S%d[%s]", s, strings.Join(loopNames[:depth], ", "))
		access := func() string {
			array, subs := "A", 1
			if g.IntN(3) == 0 {
				array, subs = "B", 2
			}
			return fmt.Sprintf("%s -> %s[%s] : %s", stmt, array, g.simple(depth, subs), dom)
		}
		parts[0] = append(parts[0], access())
		for k, odds := range []int{1, 3, 5} { // must, may, kill
			if g.IntN(odds) == 0 {
				parts[1+k] = append(parts[1+k], access())
			}
		}
		var time []string
		for l := range 3 {
			pos := 0
			if l == shared {
				pos = s
			}
			v := "0"
			if l < depth {
				v = loopNames[l]
				if g.IntN(8) == 0 {
					v = "-" + v
				}
			}
			if ties && l == 2 {
				v = "0"
			}
			time = append(time, fmt.Sprint(pos), v)
		}
		last := s
		if shared < 3 || ties {
			last = 0
		}
		parts[4] = append(parts[4], fmt.Sprintf("%s -> [%s, %d]", stmt, strings.Join(time, ", "), last))
	}
	for i, to := range []*string{&n.sink, &n.must, &n.may, &n.kill, &n.schedule} {
		*to = "[N] -> { " + strings.Join(parts[i], "; ") + " }"
	}
	return n
}

// simple writes subscripts as most programs have them.
func (g random) simple(depth, n int) string {
	out := make([]string, n)
	for i := range out {
		switch v := loopNames[g.IntN(depth)]; g.IntN(8) {
		case 0:
			out[i] = "0"
		case 1:
			out[i] = g.subscripts(depth, 1)
		case 2:
			out[i] = "N - " + v
		default:
			out[i] = fmt.Sprintf("%s - %d", v, g.IntN(3))
		}
	}
	return strings.Join(out, ", ")
}

// firstBounds keeps the bounds of the outer loops.
func firstBounds(domain string, depth int) (out []string) {
	for _, c := range strings.Split(domain, " and ") {
		inner := slices.ContainsFunc(loopNames[depth:], func(v string) bool { return strings.Contains(c, v) })
		if !inner {
			out = append(out, c)
		}
	}
	return out
}

func (n nest) accesses(t testing.TB) Accesses {
	return Accesses{Sink: mustMap(t, n.sink), Must: mustMap(t, n.must), May: mustMap(t, n.may), Kill: mustMap(t, n.kill),
		Schedule: mustMap(t, n.schedule), Budget: 40_000_000}
}

// event is an access of one instance.
type event struct {
	stmt string // and coordinates
	cell string
	time []presburger.Int
}

// events lists the accesses of a map at a value of N.
func events(t *testing.T, m presburger.Map, schedule map[string]presburger.Map, n int64) (out []event) {
	for _, one := range m.FixParam("N", presburger.NewInt(n)).Maps() {
		in, array := one.Tuples()
		x, e := in.Len(), in.Len()+array.Len()
		for _, b := range one.Basics() {
			for _, at := range schedule[in.Name()].Basics() {
				both := join(b.Params, e+at.Out.Len(), placed{&b, 0, x}, placed{&at, 0, e})
				both.In, both.Out = presburger.PairTuple(in, array), at.Out
				for _, p := range pointsOf(t, presburger.MapOf(both)) {
					out = append(out, event{fmt.Sprint(in.Name(), p[:x]), fmt.Sprint(array.Name(), p[x:e]), p[e:]})
				}
			}
		}
	}
	return out
}

func before(a, b []presburger.Int) bool { return slices.CompareFunc(a, b, presburger.Int.Cmp) < 0 }

// execute finds the sources of all sinks by looking at all accesses of their cell: the
// four relations as sorted texts.
func (n nest) execute(t *testing.T, a Accesses, at int64) (out [4][]string) {
	schedule := map[string]presburger.Map{}
	for _, m := range a.Schedule.Maps() {
		in, _ := m.Tuples()
		schedule[in.Name()] = m
	}
	sinks := events(t, a.Sink, schedule, at)
	must, may, kill := events(t, a.Must, schedule, at), events(t, a.May, schedule, at), events(t, a.Kill, schedule, at)
	has := func(es []event, e event) bool {
		return slices.ContainsFunc(es, func(x event) bool { return x.stmt == e.stmt && x.cell == e.cell })
	}
	for _, s := range sinks {
		text := fmt.Sprint(s.stmt, s.cell)
		earlier := func(e event) bool { return e.cell == s.cell && before(e.time, s.time) }
		var last []presburger.Int
		for _, e := range slices.Concat(must, kill) {
			if earlier(e) && (last == nil || before(last, e.time)) {
				last = e.time
			}
		}
		all, done, writes := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, e := range slices.Concat(must, kill) {
			if earlier(e) && !before(e.time, last) {
				all[e.stmt] = true
				done[e.stmt] = has(must, e)
				writes[e.stmt] = has(must, e) || has(may, e)
			}
		}
		for _, e := range may {
			if earlier(e) && !has(must, e) && (last == nil || !before(e.time, last)) {
				all[e.stmt], writes[e.stmt] = true, true
			}
		}
		for x := range all {
			if writes[x] {
				out[1] = append(out[1], x+" -> "+text)
			}
			if len(all) == 1 && done[x] {
				out[0] = append(out[0], x+" -> "+text)
			}
		}
		if len(all) == 0 {
			out[2] = append(out[2], text)
		}
		if last == nil {
			out[3] = append(out[3], text)
		}
	}
	for i := range out {
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// texts lists the pairs of a flow at a value of N as execute does.
func (f Flow) texts(t *testing.T, at int64) (out [4][]string) {
	for i, m := range []presburger.Map{f.Must, f.May, f.MustNoSource, f.MayNoSource} {
		for _, one := range m.FixParam("N", presburger.NewInt(at)).Maps() {
			in, to := one.Tuples()
			for _, x := range pointsOf(t, one) {
				text := ""
				if i < 2 {
					sink, array := one2(to)
					k := in.Len() + sink.Len()
					text = fmt.Sprint(in.Name(), x[:in.Len()]) + " -> " + fmt.Sprint(fmt.Sprint(sink.Name(), x[in.Len():k]), fmt.Sprint(array.Name(), x[k:]))
				} else {
					text = fmt.Sprint(fmt.Sprint(in.Name(), x[:in.Len()]), fmt.Sprint(to.Name(), x[in.Len():]))
				}
				out[i] = append(out[i], text)
			}
		}
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

func one2(t presburger.Tuple) (a, b presburger.Tuple) {
	a, b, _ = t.Pair()
	return a, b
}

// TestFlowByExecution compares the flow of random nests with executing them.
func TestFlowByExecution(t *testing.T) {
	sources, over := 0, 0
	for i := range *nestCases {
		n := nestMaker{newRandom(i), false}.nest()
		a := n.accesses(t)
		got, err := a.Flow()
		if err == presburger.ErrBudget {
			over++
			continue
		}
		if err != nil {
			t.Fatalf("%d: %+v: %v", i, n, err)
		}
		for _, at := range []int64{0, 1, 3, 4} {
			want, have := n.execute(t, a, at), got.texts(t, at)
			for k, name := range []string{"must", "may", "must no source", "may no source"} {
				if !slices.Equal(want[k], have[k]) {
					t.Errorf("%d at N = %d: %s:\n%+v\n got  %.500v\n want %.500v", i, at, name, n, have[k], want[k])
				}
			}
			sources += len(want[1])
		}
	}
	t.Logf("%d nests, %d sources of sinks, %d over budget", *nestCases, sources, over)
}

// TestFlowByIsl compares the flow of random nests with isl's, with symbolic sizes.
func TestFlowByIsl(t *testing.T) {
	o := startOracle(t)
	quota, over := 0, 0
	for i := range *nestCases {
		n := nestMaker{newRandom(1_000_000 + i), true}.nest()
		text, err := o.Ask("flow", n.sink, n.must, n.may, n.kill, n.schedule)
		if err != nil {
			quota++
			continue
		}
		got, err := n.accesses(t).Flow()
		if err == presburger.ErrBudget {
			over++
			continue
		}
		if err != nil {
			t.Fatalf("%d: %+v: %v", i, n, err)
		}
		if !sameFlow(t, fmt.Sprint(i), got, text) {
			t.Logf("%d: %+v", i, n)
		}
	}
	t.Logf("%d nests; isl gave up on %d, ours over budget %d", *nestCases, quota, over)
}
