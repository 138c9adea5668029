package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/passes/differentiate"
)

// bugsModel is an example bound to its data, and its initial values.
type bugsModel struct {
	model *model.Model
	inits *input.Data
}

// repository is the root of the module: the working directory or one above it.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		switch up := filepath.Dir(dir); {
		case err == nil && strings.HasPrefix(string(text), "module github.com/irc-lang/irc\n"):
			return dir, nil
		case up == dir:
			return "", errors.New("run it in the repository: no go.mod of irc is here or above")
		default:
			dir = up
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// readModel reads an example.
func readModel(name string) (*bugsModel, error) {
	root, err := repository()
	if err != nil {
		return nil, err
	}
	source := func(file string) *diag.Source {
		text, e := os.ReadFile(filepath.Join(root, "examples", "bugs", file))
		err = errors.Join(err, e)
		return diag.NewSource(file, string(text))
	}
	program, data := source(name+".bug"), source(name+"-data.json")
	inits := diag.NewSource("none.json", "{}") // the rest is the centre of its prior
	if file := name + "-inits.json"; exists(filepath.Join(root, "examples", "bugs", file)) {
		inits = source(file)
	}
	if err != nil {
		return nil, err
	}
	prog, l1 := syntax.Parse(program, syntax.Options{})
	values, l2 := input.ParseData(data, input.Unknown)
	start, l3 := input.ParseData(inits, input.Unknown)
	if err := errors.Join(l1.Err(), l2.Err(), l3.Err()); err != nil {
		return nil, err
	}
	m, list := bugs.Analyze(prog, values, bugs.Options{})
	return &bugsModel{m, start}, list.Err()
}

// bugsContext has the dialects of models.
func bugsContext() *ir.Context {
	list := dialects.All
	if ir.NewContext(list...).Dialect(bugs.Dialect.Name) == nil {
		list = append(append([]*ir.Dialect(nil), list...), bugs.Dialect)
	}
	return ir.NewContext(list...)
}

// compile makes the model ready for the interpreter.
func (r *bugsModel) compile() (*density.Program, error) {
	return density.Compile(bugsContext(), r.model, density.Options{})
}

// value is the density at the initial values.
func (r *bugsModel) value(p *density.Program) (float64, error) {
	st, _, list := p.Point(r.inits, true)
	if err := list.Err(); err != nil {
		return 0, err
	}
	res, err := p.LogDensity(st)
	if err != nil {
		return 0, err
	}
	return res.Logp, nil
}

// catcher is what is to be compiled of a model, and its arguments.
type catcher struct {
	graph   *ir.Graph
	name    string // of the function
	results int    // of its results those that are read
	setup   string
	args    []density.Arg
}

// caught is the lowered model and its arguments at the initial values.
func (r *bugsModel) caught() (*catcher, error) { return r.lowered(density.Options{}) }

// lowered is caught of a density with some options.
func (r *bugsModel) lowered(opts density.Options) (*catcher, error) {
	opts.Target = target.Host()
	p, err := density.Lower(bugsContext(), r.model, opts)
	if err != nil {
		return nil, err
	}
	st, _, list := p.Point(r.inits, true)
	if err := list.Err(); err != nil {
		return nil, err
	}
	c := &catcher{graph: p.Lowered, name: density.Symbol, results: 3}
	if opts.Gradient {
		c.name += differentiate.Suffix
	}
	c.args, c.setup, err = p.Args(density.Point{State: st})
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

// native emits, compiles at O3 and calls, then calls many times.
func (b *bench) native(child *jit.Child, c *catcher, calls int, opts llvm.Options) (f nativeFigures, err error) {
	slots, err := b.slots(child, c.args)
	if err != nil {
		return f, err
	}
	start := time.Now()
	opts.Thunks = true
	mod, err := llvm.Emit(c.graph, opts)
	if err != nil {
		return f, err
	}
	text := mod.Text()
	f.emit = time.Since(start).Seconds()
	fn := mod.Func(c.name)
	if fn == nil || fn.Thunk == "" {
		return f, errors.New("the model's function has no thunk")
	}
	code, err := child.Compile(b.ctx, text, jit.Options{Level: jit.O3, Externs: mod.Externs()})
	if err != nil {
		return f, err
	}
	defer code.Close()
	if c.setup != "" {
		if _, err := code.Call(b.ctx, mod.Func(c.setup).Thunk, slots, 0); err != nil {
			return f, err
		}
	}
	call := jit.Call{Symbol: fn.Thunk, Args: slots, Results: c.results}
	res, err := code.Call(b.ctx, call.Symbol, call.Args, call.Results)
	if err != nil {
		return f, err
	}
	f.total = time.Since(start).Seconds()
	if res.Status != 0 {
		return f, fmt.Errorf("the density traps: code %d", res.Status)
	}
	f.value = math.Float64frombits(res.Results[0])
	for i := range 100 {
		res, _, err := code.CallMany(b.ctx, call, calls)
		if err != nil {
			return f, err
		}
		if t := res.Wall.Seconds() / float64(calls); i == 0 || t < f.call {
			f.call = t
		}
	}
	return f, nil
}

// interpreted is the time of one density in the interpreter, and its value.
func (r *bugsModel) interpreted(runs int) (value, call float64, err error) {
	p, err := r.compile()
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
	r, err := readModel("rats")
	if err != nil {
		return err
	}
	_, slow, err := r.interpreted(b.size(100))
	if err != nil {
		return err
	}
	b.table.Absolute("rats", "Rats: one density, interpreted", "ms", slow*1e3, slow < 5e-3, "< 5 ms")
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
		f, err := b.native(child, c, 1000, llvm.Options{})
		if err != nil {
			return err
		}
		if i == 0 {
			best = f
		}
		best.emit, best.total, best.call = min(best.emit, f.emit), min(best.total, f.total), min(best.call, f.call)
	}
	b.table.Absolute("rats", "Rats: emission of LLVM IR", "ms", best.emit*1e3, best.emit < 5e-3, "< 5 ms")
	b.table.Absolute("rats", "Rats: emission, O3, first call", "ms", best.total*1e3, best.total < 0.15, "< 150 ms")
	return nil
}
