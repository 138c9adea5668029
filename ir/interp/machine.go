package interp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/internal/authors"
)

// A Machine runs the functions of one module. Its memory (globals, printed
// output, fuel used) lives from call to call. It is for one goroutine.
type Machine struct {
	Ctx  *ir.Context // the context of its module
	opts Options

	table  map[*ir.OpDef]meaning // of the ops that were met
	scopes *scope

	running // of the function that runs: where it is

	left      int64 // ops until the budgets are looked at again
	fuel      int64 // ops left after these
	bytes     int64 // allocated
	heap      Heap
	printed   []Printed
	globals   map[any]any
	constants []*Buffer
	regions   regionWatcher // opts.Watch, if it is one
	observed  *observed     // the innermost op whose effects are watched, or nil
}

// New makes a machine for a file graph (whose root holds a builtin.module) or a
// module graph.
func New(g *ir.Graph, opts Options) (*Machine, error) {
	m := &Machine{Ctx: g.Ctx, opts: opts, table: map[*ir.OpDef]meaning{}, globals: map[any]any{}}
	if m.opts.MaxDepth <= 0 {
		m.opts.MaxDepth = defaultDepth
	}
	if m.opts.Schedule == nil {
		m.opts.Schedule = &ir.ScheduleOptions{Copies: true}
	}
	m.regions, _ = opts.Watch.(regionWatcher)
	var err error
	if m.scopes, err = findSymbols(g); err != nil {
		return nil, err
	}
	m.left = checkEvery
	if opts.Fuel > 0 {
		m.left = min(checkEvery, opts.Fuel)
		m.fuel = opts.Fuel - m.left
	}
	return m, nil
}

// meaning is what the tables of dialects say of an op.
type meaning struct {
	run                      Func
	takesPoison, takesPacked bool
	checked                  bool // its Eval is not irc's
}

// meaningOf looks an op up when it is first met: most programs have few of the ops that there are. Of tables that
// have the same op the last one counts.
func (m *Machine) meaningOf(def *ir.OpDef) meaning {
	x, met := m.table[def]
	if met {
		return x
	}
	for _, d := range m.Ctx.Dialects() {
		if f := ir.Table[Table](d)[def]; f != nil {
			x.run = f
		}
		x.takesPoison = x.takesPoison || ir.Table[TakesPoison](d)[def]
		x.takesPacked = x.takesPacked || ir.Table[TakesPacked](d)[def]
	}
	x.checked = def.Eval != nil && authors.Theirs(def.Eval)
	if x.run != nil && authors.Theirs(x.run) {
		x.run = m.checkedFunc(x.run)
	}
	if x.run != nil && m.opts.Wrap != nil {
		x.run = m.opts.Wrap(def, x.run)
	}
	m.table[def] = x
	return x
}

// checkEvery is the number of ops between two looks at the budgets.
const checkEvery = 1 << 14

// spend charges n ops; it is small enough to be inlined.
func (m *Machine) spend(n int64) error {
	m.left -= n
	if m.left >= 0 {
		return nil
	}
	return m.look()
}

// look checks the budgets once the ops granted are used up.
func (m *Machine) look() error {
	over := -m.left
	if c := m.opts.Context; c != nil && c.Err() != nil {
		m.left = 0
		b := &Budget{What: "time", Flag: "-timeout", cause: context.Cause(c)}
		var set interface{ Flag() string } // the cause knows better
		if errors.As(b.cause, &set) {
			b.Flag = set.Flag()
		}
		return b
	}
	if m.opts.Fuel <= 0 {
		m.left = checkEvery
		return nil
	}
	if m.fuel < over {
		m.left, m.fuel = 0, 0
		return &Budget{What: "fuel", limit: m.opts.Fuel, Flag: "-fuel"}
	}
	m.fuel -= over
	m.left = min(checkEvery, m.fuel)
	m.fuel -= m.left
	return nil
}

// Spend charges fuel for n ops' worth of work that one Func does itself.
func (m *Machine) Spend(n int64) error { return m.spend(max(n, 0)) }

// Call runs a function by name. The results are the caller's own.
func (m *Machine) Call(symbol string, args []ir.Val) ([]ir.Val, error) {
	f, err := m.Resolve(symbol)
	if err != nil {
		return nil, err
	}
	return m.Invoke(f, args)
}

// Invoke is Call for a function that was resolved before.
func (m *Machine) Invoke(f *Function, args []ir.Val) ([]ir.Val, error) {
	out := make([]ir.Val, len(f.Results))
	return out, m.InvokeTo(f, args, out)
}

// InvokeTo is Invoke with room for the results.
func (m *Machine) InvokeTo(f *Function, args, out []ir.Val) error {
	if f.Graph == nil {
		return m.extern(f, args, out)
	}
	if err := m.enter(f, args); err != nil {
		return err
	}
	if i := slices.IndexFunc(args, isPoison); i >= 0 && f.public {
		return &Failure{Function: f.Name, Err: ir.Trapf("argument #%d is poison, which a public function takes none of: freeze it (ub.freeze), or make the function private", i)}
	}
	if m.opts.Watch != nil {
		m.watchAll(args)
	}
	fn, frame, mark, scope := m.fn, m.frame, m.stack.mark(), len(m.scoped)
	m.depth++
	m.held += f.slots
	m.fn, m.frame = f, m.stack.take(f.slots)
	copy(m.frame, f.consts)
	ys, err := m.Run(f.body, args)
	if err == nil && len(ys) != len(out) {
		err = &Failure{Err: fmt.Errorf("returns %d values where %d are wanted", len(ys), len(out)), Function: f.Name}
	}
	if err == nil && len(m.constants) > 0 {
		err = m.wroteConstant(f)
	}
	m.endScope(scope)
	copy(out, ys)
	if f.keepsRefs {
		clear(m.frame)
	}
	m.fn, m.frame = fn, frame
	m.stack.release(mark)
	m.held -= f.slots
	m.depth--
	if fail, ok := err.(*Failure); ok && fn != nil && len(fail.Callers) < maxCallers {
		fail.Callers = append(fail.Callers, fn.Name)
	}
	return err
}

// maxHeld bounds the frames of all calls under way, in values of 24 bytes.
const maxHeld = 1 << 24

// maxNest bounds the regions that run inside one another, each of which takes
// half a kilobyte or so of the Go stack, which ends the process when it is full.
const maxNest = 1 << 18

// enter compiles a function on its first call and checks the call.
func (m *Machine) enter(f *Function, args []ir.Val) error {
	if m.depth >= m.opts.MaxDepth {
		return &Failure{Err: ir.Trapf("call depth exceeds %d", m.opts.MaxDepth), Function: f.Name}
	}
	if m.held > maxHeld {
		return &Failure{Err: ir.Trapf("call depth: the frames of %d calls hold more than %d values", m.depth, maxHeld), Function: f.Name}
	}
	if f.body == nil {
		if err := m.compile(f); err != nil {
			return err
		}
	}
	if len(args) != f.body.Params {
		return &Failure{Err: fmt.Errorf("called with %d arguments, it has %d parameters", len(args), f.body.Params), Function: f.Name}
	}
	return nil
}

func (m *Machine) extern(f *Function, args, out []ir.Val) error {
	do := m.opts.Extern[f.Name]
	if do == nil {
		return &Failure{Function: f.Name, Err: &Unsupported{
			Reason: fmt.Sprintf("function @%s is declared but has no body", f.Name), Fix: "define it in the module, or run native code (-engine=llvm)"}}
	}
	res, err := do(m, args)
	if err == nil && len(res) != len(out) {
		err = fmt.Errorf("function @%s gives %d results, declared with %d", f.Name, len(res), len(out))
	}
	copy(out, res)
	return err
}

// Run runs a region of the op that is running and returns what it yields: the
// operands of its terminator, good until this op runs a region again.
func (m *Machine) Run(code *Code, args []ir.Val) ([]ir.Val, error) {
	if len(args) != len(code.params) {
		return nil, fmt.Errorf("region run with %d arguments, it has %d parameters", len(args), len(code.params))
	}
	f := m.frame
	for i, p := range code.params {
		f[p] = args[i]
	}
	if err := m.spend(code.cost); err != nil {
		return nil, m.failIn(err, code)
	}
	if m.nest >= maxNest {
		return nil, m.failIn(ir.Trapf("call depth: %d regions run inside one another", m.nest), code)
	}
	if m.regions != nil {
		m.regions.Enter(code, args)
	}
	m.nest++
	err := m.exec(code, f)
	m.nest--
	if err != nil {
		return nil, err
	}
	ys := f[code.win : int(code.win)+len(code.yields) : int(code.win)+len(code.yields)]
	for i, s := range code.yields {
		ys[i] = f[s]
	}
	if m.regions != nil {
		m.regions.Leave(code, ys)
	}
	return ys, nil
}

// failIn blames a region's owner for a budget that ran out on entering it.
func (m *Machine) failIn(err error, code *Code) error {
	fail := &Failure{Err: err}
	if m.fn != nil {
		fail.Function = m.fn.Name
	}
	if v := code.g.Owner(code.Region); v != 0 {
		fail.Op, fail.Locs = code.g.Def(v).Name, code.g.LocsOf(v)
	}
	return fail
}

// exec runs the ops of a region, its terminator excepted.
func (m *Machine) exec(code *Code, f []ir.Val) error {
	watched := m.opts.Count != nil || m.opts.Hook != nil
	for i := range code.ops {
		o := &code.ops[i]
		if watched {
			m.Watch(o)
		}
		win := f[o.win : int(o.win)+len(o.slots) : int(o.win)+len(o.slots)]
		special := false
		for j, s := range o.slots {
			win[j] = f[s]
			special = special || f[s].Ref != nil
		}
		if o.eval == nil {
			if err := m.call(o, win, f[o.out:o.out+o.nout:o.out+o.nout]); err != nil {
				return m.fail(err, o)
			}
			continue
		}
		if special && !o.takesPoison && anyPoison(win) {
			if o.Def.Has(ir.Partial) {
				return m.fail(ir.Trapf("operand is poison"), o)
			}
			for k := range o.nout {
				f[o.out+k] = ir.Val{Ref: ir.Poison}
			}
			continue
		}
		v, err := o.eval(o.Call, win)
		if err != nil {
			return m.fail(err, o)
		}
		if o.nout == 1 {
			f[o.out] = v
		} else if o.nout > 1 {
			copy(f[o.out:o.out+o.nout], v.Ref.(ir.Vector))
		}
	}
	return nil
}

func (m *Machine) call(o *Op, args, out []ir.Val) error {
	mark := m.stack.mark()
	err := o.fn(m, o, args, out)
	m.stack.release(mark)
	return err
}

// isPoison reports a value that is poison, or a vector with a lane that is.
func isPoison(v ir.Val) bool {
	if v.Ref == nil {
		return false
	}
	lanes, _ := v.Ref.(ir.Vector)
	return v.IsPoison() || slices.ContainsFunc(lanes, isPoison)
}

func anyPoison(vs []ir.Val) bool {
	for i := range vs {
		if vs[i].Ref != nil && vs[i].IsPoison() {
			return true
		}
	}
	return false
}

// Watch counts one more run of an op, and shows it to the hook: a Func that runs an op's regions
// later and more than once says so.
func (m *Machine) Watch(o *Op) {
	if m.opts.Count != nil {
		m.opts.Count[o.Def]++
	}
	if m.opts.Hook != nil {
		m.opts.Hook(o)
	}
}

// Running returns the name of the function that is running, or "".
func (m *Machine) Running() string {
	if m.fn == nil {
		return ""
	}
	return m.fn.Name
}

// Temp returns room for n values, good until the running Func returns.
func (m *Machine) Temp(n int) []ir.Val { return m.stack.take(n) }

// Fuel returns the ops left, or -1 without a limit.
func (m *Machine) Fuel() int64 {
	if m.opts.Fuel <= 0 {
		return -1
	}
	return m.fuel + max(m.left, 0)
}

// Emit makes visible output.
func (m *Machine) Emit(p Printed) {
	if x := m.observed; x != nil && x.itself() {
		x.prints = true
	}
	p.Val = snapshot(p.Val)
	if m.opts.Output != nil {
		m.opts.Output(p)
		return
	}
	m.printed = append(m.printed, p)
}

// Printed returns the output collected so far and forgets it.
func (m *Machine) Printed() []Printed {
	p := m.printed
	m.printed = nil
	return p
}

// Global returns the machine's state for a key, made on first use: the memory of
// a global and the like.
func (m *Machine) Global(key any, make func() (any, error)) (any, error) {
	if x, ok := m.globals[key]; ok {
		return x, nil
	}
	x, err := make()
	if err == nil {
		m.globals[key] = x
	}
	return x, err
}

// A Closure is a region that runs later, with what it saw when it was closed.
type Closure struct {
	code  *Code
	fn    *Function
	frame []ir.Val
}

// Close makes a closure of a region (of kind Lambda) of the running op.
func (m *Machine) Close(code *Code) *Closure {
	return &Closure{code, m.fn, append([]ir.Val(nil), m.frame...)}
}

// CallClosure runs a closure; the results are the caller's own.
func (m *Machine) CallClosure(c *Closure, args []ir.Val) ([]ir.Val, error) {
	if m.depth >= m.opts.MaxDepth {
		return nil, ir.Trapf("call depth exceeds %d", m.opts.MaxDepth)
	}
	fn, frame, mark, scope := m.fn, m.frame, m.stack.mark(), len(m.scoped)
	m.depth++
	m.fn, m.frame = c.fn, m.stack.take(len(c.frame))
	copy(m.frame, c.frame)
	ys, err := m.Run(c.code, args)
	ys = append([]ir.Val(nil), ys...)
	m.endScope(scope)
	m.fn, m.frame = fn, frame
	m.stack.release(mark)
	m.depth--
	return ys, err
}
