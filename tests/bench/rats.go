package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/density"
)

// ratsModel is the model bound to its data, and its initial values.
type ratsModel struct {
	model *bugs.Model
	inits *syntax.Data
}

func repository() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "", errors.New("the repository is not found")
	}
	return filepath.Join(filepath.Dir(file), "..", ".."), nil
}

// readRats reads the example.
func readRats() (*ratsModel, error) {
	root, err := repository()
	if err != nil {
		return nil, err
	}
	source := func(name string) *diag.Source {
		text, e := os.ReadFile(filepath.Join(root, "examples", "bugs", name))
		err = errors.Join(err, e)
		return diag.NewSource(name, string(text))
	}
	model, data, inits := source("rats.bug"), source("rats-data.json"), source("rats-inits.json")
	if err != nil {
		return nil, err
	}
	prog, l1 := syntax.Parse(model, syntax.Options{})
	values, l2 := syntax.ParseData(data, syntax.Unknown)
	start, l3 := syntax.ParseData(inits, syntax.Unknown)
	if err := errors.Join(l1.Err(), l2.Err(), l3.Err()); err != nil {
		return nil, err
	}
	m, list := bugs.Analyze(prog, values, bugs.Options{})
	return &ratsModel{m, start}, list.Err()
}

// compile lowers the model for an engine.
func (r *ratsModel) compile(e density.Engine) (*density.Program, error) {
	list := dialects.All
	if ir.NewContext(list...).Dialect(bugs.Dialect.Name) == nil {
		list = append(append([]*ir.Dialect(nil), list...), bugs.Dialect)
	}
	return density.Compile(ir.NewContext(list...), r.model, density.Options{Engine: e})
}

// value is the density at the initial values.
func (r *ratsModel) value(p *density.Program) (float64, error) {
	st, _, list := p.Point(r.inits, false)
	if err := list.Err(); err != nil {
		return 0, err
	}
	res, err := p.LogDensity(st)
	if err != nil {
		return 0, err
	}
	return res.Logp, nil
}

// catcher is an engine that keeps what it is given to compile.
type catcher struct {
	graph *ir.Graph
	args  []density.Arg
}

func (*catcher) Name() string { return "none" }

func (c *catcher) Load(g *ir.Graph, _ string, args []density.Arg) (density.Func, error) {
	c.graph, c.args = g, args
	return c, nil
}

func (*catcher) Call() (density.Outcome, error) { return density.Outcome{}, nil }
func (*catcher) Close() error                   { return nil }

// caught is the lowered model and its arguments at the initial values.
func (r *ratsModel) caught() (*catcher, error) {
	c := &catcher{}
	p, err := r.compile(c)
	if err != nil {
		return nil, err
	}
	_, err = r.value(p)
	return c, err
}

// slots puts the arguments where native code can read them.
func (b *bench) slots(child *jit.Child, args []density.Arg) ([]uint64, error) {
	var out []uint64
	for _, a := range args {
		if a.Scalar {
			out = append(out, math.Float64bits(a.Data[0]))
			continue
		}
		buf, err := child.Alloc(b.ctx, 8*len(a.Data))
		if err != nil {
			return nil, err
		}
		for i, x := range a.Data {
			binary.LittleEndian.PutUint64(buf.Bytes()[8*i:], math.Float64bits(x))
		}
		out = append(out, buf.Addr())
		strides := make([]uint64, len(a.Dims))
		for i, n := len(a.Dims)-1, uint64(1); i >= 0; i-- {
			strides[i] = n
			n *= uint64(a.Dims[i])
		}
		for _, n := range a.Dims {
			out = append(out, uint64(n))
		}
		out = append(out, strides...)
	}
	return out, nil
}

// nativeFigures are one compilation of Rats and its speed.
type nativeFigures struct{ emit, total, call, value float64 }

const ratsCalls = 100_000

// native emits, compiles at O3 and calls, then calls many times.
func (b *bench) native(child *jit.Child, c *catcher) (f nativeFigures, err error) {
	slots, err := b.slots(child, c.args)
	if err != nil {
		return f, err
	}
	start := time.Now()
	mod, err := llvm.Emit(c.graph, llvm.Options{Thunks: true})
	if err != nil {
		return f, err
	}
	text := mod.Text()
	f.emit = time.Since(start).Seconds()
	fn := mod.Func(density.Symbol)
	if fn == nil || fn.Thunk == "" {
		return f, errors.New("the model's function has no thunk")
	}
	code, err := child.Compile(b.ctx, text, jit.Options{Level: jit.O3})
	if err != nil {
		return f, err
	}
	defer code.Close()
	call := jit.Call{Symbol: fn.Thunk, Args: slots, Results: 3}
	res, err := code.Call(b.ctx, call.Symbol, call.Args, 3)
	if err != nil {
		return f, err
	}
	f.total = time.Since(start).Seconds()
	if res.Status != 0 {
		return f, fmt.Errorf("the density traps: code %d", res.Status)
	}
	f.value = math.Float64frombits(res.Results[0])
	for i := range 7 {
		_, each, err := code.CallMany(b.ctx, call, b.size(ratsCalls))
		if err != nil {
			return f, err
		}
		if t := each.Seconds(); i == 0 || t < f.call {
			f.call = t
		}
	}
	return f, nil
}

// byHand compiles peers/rats.c and returns its value and the seconds of a call.
func (b *bench) byHand() (value, call float64, err error) {
	root, err := repository()
	if err != nil {
		return 0, 0, err
	}
	exe := filepath.Join(b.dir, "rats-c")
	cc := exec.CommandContext(b.ctx, b.clang, "-O3", "-march=native", "-ffast-math", "-fveclib=libmvec", filepath.Join(root, "tests/bench/peers/rats.c"), "-o", exe, "-lm")
	if out, err := cc.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("clang-19: %w: %s", err, firstLine(string(out)))
	}
	out, err := exec.CommandContext(b.ctx, exe, fmt.Sprint(b.size(ratsCalls))).Output()
	if err != nil {
		return 0, 0, err
	}
	var ns, sum float64
	if _, err := fmt.Sscan(string(out), &value, &ns, &sum); err != nil {
		return 0, 0, fmt.Errorf("rats.c prints %q: %w", out, err)
	}
	return value, ns * 1e-9, nil
}

// interpreted is the time of one density in the interpreter, and its value.
func (r *ratsModel) interpreted(runs int) (value, call float64, err error) {
	p, err := r.compile(density.Interp{})
	if err != nil {
		return 0, 0, err
	}
	for range 7 {
		start := time.Now()
		for range runs {
			if value, err = r.value(p); err != nil {
				return 0, 0, err
			}
		}
		if t := time.Since(start).Seconds() / float64(runs); call == 0 || t < call {
			call = t
		}
	}
	return value, call, nil
}

func (b *bench) rats() error {
	r, err := readRats()
	if err != nil {
		return err
	}
	want, slow, err := r.interpreted(b.size(100))
	if err != nil {
		return err
	}
	b.table.absolute("rats", "Rats: one density, interpreted", "ms", slow*1e3, slow < 5e-3, "< 5 ms")
	c, err := r.caught()
	if err != nil {
		return err
	}
	child, err := jit.Start(b.ctx, jit.ChildOptions{})
	if err != nil {
		return err // libLLVM is missing: it says so
	}
	defer child.Close()
	var best nativeFigures
	for i := range 3 {
		f, err := b.native(child, c)
		if err != nil {
			return err
		}
		if i == 0 {
			best = f
		}
		best.emit, best.total, best.call = min(best.emit, f.emit), min(best.total, f.total), min(best.call, f.call)
	}
	b.table.absolute("rats", "Rats: emission of LLVM IR", "ms", best.emit*1e3, best.emit < 5e-3, "< 5 ms")
	b.table.absolute("rats", "Rats: emission, O3, first call", "ms", best.total*1e3, best.total < 0.15, "< 150 ms")
	if b.clang == "" {
		b.table.add(Row{Group: "rats", What: "Rats: one density", Unit: "us", Ours: best.call * 1e6, Note: "peer missing: needs clang-19"})
		return nil
	}
	value, hand, err := b.byHand()
	if err != nil {
		return err
	}
	for _, v := range []float64{best.value, value} {
		if math.Abs(v-want) > 1e-10*math.Abs(want) {
			return fmt.Errorf("the densities differ: interpreted %v, native %v, by hand %v", want, best.value, value)
		}
	}
	b.table.compare("rats", "Rats: one density, beside clang -O3 -ffast-math", "us", best.call*1e6, hand*1e6, 1.1, "<= 1.1")
	return nil
}
