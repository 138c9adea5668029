package mlir_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
)

// seeds is how many random programs run.
const seeds = 301

// Random programs, built verbatim and interpreted, give what they give when MLIR
// compiles them: the oracle of all other tests is checked against an outside one.
func TestRandomSameAsMLIR(t *testing.T) {
	var programs []*irtest.Program
	var all strings.Builder
	for seed := range uint64(seeds) {
		p := irtest.New(seed, irtest.Config{Name: fmt.Sprintf("s%d_", seed), NoPrint: true, Traps: seed%5 == 0})
		p.Text = tameSwitches(p.Text)
		programs = append(programs, p)
		_, inside, _ := strings.Cut(strings.TrimSpace(p.Text), "\n")
		all.WriteString(inside[:strings.LastIndexByte(inside, '\n')+1])
	}
	ll := compileByMLIR(t, []string{all.String()}, nil)
	c := child(t)
	m := native(t, c, ll)
	compared, trapped := 0, 0
	for _, p := range programs {
		want, err := runRandom(p)
		if ir.IsTrap(err) {
			trapped++ // means nothing, so anything may come of it
			continue
		}
		if err != nil {
			t.Errorf("seed %d: %v", p.Seed, err)
			continue
		}
		got, err := runNative(t, c, m, p)
		if err != nil {
			t.Fatalf("seed %d compiled by MLIR: %v\n%s", p.Seed, err, p.Text)
		}
		compared += compareSlots(t, p, want, got)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d programs, of which %d trap; %d values compared", len(programs), trapped, compared)
	if compared < seeds || trapped > seeds/4 {
		t.Errorf("%d values compared and %d of %d programs trap: the test tests little", compared, trapped, len(programs))
	}
}

var indexSwitch = regexp.MustCompile(`(?m)^( *)(.*)"scf.index_switch"\((%[\w#]+)\)`)

// tameSwitches clamps what is switched on to -2 ... 7: MLIR 19 looks at its low 32
// bits only.
func tameSwitches(text string) string {
	n := 0
	return indexSwitch.ReplaceAllStringFunc(text, func(line string) string {
		m := indexSwitch.FindStringSubmatch(line)
		n++
		return fmt.Sprintf(`%[1]s%%lo%[4]d = "arith.constant"() <{value = -2 : index}> : () -> index
%[1]s%%hi%[4]d = "arith.constant"() <{value = 7 : index}> : () -> index
%[1]s%%up%[4]d = "arith.maxsi"(%[3]s, %%lo%[4]d) : (index, index) -> index
%[1]s%%on%[4]d = "arith.minsi"(%%up%[4]d, %%hi%[4]d) : (index, index) -> index
%[1]s%[2]s"scf.index_switch"(%%on%[4]d)`, m[1], m[2], m[3], n)
	})
}

// slot is a result or an element of a memref argument after the call.
type slot struct {
	typ    string
	bits   uint64
	poison bool
}

// runRandom interprets a program as it is written.
func runRandom(p *irtest.Program) ([]slot, error) {
	g, err := parse(newContext(), "random.mlir", p.Text, true)
	if err != nil {
		return nil, err
	}
	m, err := interp.New(g, interp.Options{Fuel: 50_000_000})
	if err != nil {
		return nil, err
	}
	var args []ir.Val
	for _, a := range p.Args {
		if a.Elems == nil {
			args = append(args, ir.Val{Bits: a.Bits})
			continue
		}
		r, err := m.NewMemRef(elemTypes[elem(a.Type)], int64(len(a.Elems)))
		if err != nil {
			return nil, err
		}
		for i, x := range a.Elems {
			r.Buf.Store(i, ir.Val{Bits: x})
		}
		args = append(args, ir.Val{Ref: r})
	}
	results, err := m.Call(p.Entry, args)
	if err != nil {
		return nil, err
	}
	var out []slot
	for i, v := range results {
		out = append(out, slot{p.Types[i], v.Bits, v.IsPoison()})
	}
	for i, a := range p.Args {
		if a.Elems == nil {
			continue
		}
		buf := args[i].Ref.(*interp.MemRef).Buf
		for k := range buf.Len() {
			v := buf.Load(k)
			out = append(out, slot{elem(a.Type), v.Bits, v.IsPoison()})
		}
	}
	return out, nil
}

var elemTypes = map[string]ir.Type{"i32": ir.I32, "i64": ir.I64, "f64": ir.F64}

// elem is the element type of "memref<8xT>".
func elem(typ string) string {
	return strings.TrimSuffix(strings.TrimPrefix(typ, "memref<8x"), ">")
}

// runNative calls MLIR's code; a memref argument is five slots there.
func runNative(t *testing.T, c *jit.Child, m *jit.Module, p *irtest.Program) ([]slot, error) {
	t.Helper()
	var args []uint64
	buffers := make([]*jit.Buffer, len(p.Args))
	for i, a := range p.Args {
		if a.Elems == nil {
			args = append(args, a.Bits)
			continue
		}
		b, err := c.Alloc(t.Context(), 8*len(a.Elems))
		if err != nil {
			return nil, err
		}
		defer b.Free()
		buffers[i] = b
		for k, x := range a.Elems {
			putElem(b.Bytes(), elem(a.Type), k, x)
		}
		args = append(args, b.Addr(), b.Addr(), 0, uint64(len(a.Elems)), 1)
	}
	r, err := m.Call(t.Context(), "thunk."+p.Entry, args, len(p.Types))
	if err != nil {
		return nil, err
	}
	var out []slot
	for i, x := range r.Results {
		out = append(out, slot{p.Types[i], mask(x, p.Types[i]), false})
	}
	for i, a := range p.Args {
		for k := range a.Elems {
			out = append(out, slot{elem(a.Type), getElem(buffers[i].Bytes(), elem(a.Type), k), false})
		}
	}
	return out, nil
}

func compareSlots(t *testing.T, p *irtest.Program, want, got []slot) (n int) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("seed %d: %d values of ours, %d of MLIR", p.Seed, len(want), len(got))
	}
	for i, w := range want {
		if w.poison {
			continue
		}
		n++
		if !equal(w.bits, got[i].bits, w.typ, 0) {
			t.Errorf("seed %d: value %d (%s) is %s, MLIR's is %s\n%s", p.Seed, i, w.typ, show(w.bits, w.typ), show(got[i].bits, w.typ), p.Text)
			return n
		}
	}
	return n
}
