package sparse

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/passes/differentiate"
)

// A Call is a call of a function with derivatives. In and Of are arguments and results of the function, which has a float or
// memory of floats there.
type Call struct {
	Module   *ir.Graph // with the derivatives
	Function string
	Args     []ir.Val // of the function
	Of, By   Place    // By is an argument

	// Run runs a function of the module. The last run is on Args themselves, and those before it on copies.
	Run func(function string, args []ir.Val) ([]ir.Val, error)

	// Results are those of the function, after the runs.
	Results []ir.Val
	left    int // runs to come
}

// Forward is the pass that makes what Jacobian runs for colours, and Hessian.
func Forward(c *Call) string {
	return fmt.Sprintf("differentiate{of=%q wrt=%d mode=forward}", c.Function, c.By.N)
}

// Reverse is the pass that makes what Jacobian runs for dense rows, and Gradient.
func Reverse(c *Call) string {
	return fmt.Sprintf("differentiate{of=%q wrt=%d}", c.Function, c.By.N)
}

// Passes make what a plan runs.
func (p *Plan) Passes(c *Call) (out []string) {
	if p.Colours > 0 || len(p.Dense) == 0 {
		out = append(out, Forward(c))
	}
	if len(p.Dense) > 0 {
		out = append(out, Reverse(c))
	}
	return out
}

// Pattern is that of its derivatives.
func (c *Call) Pattern(opts interp.Options) (*Pattern, error) {
	return PatternOf(c.Module, c.Function, c.Args, c.Of, c.By, opts)
}

// Jacobian is the entries of a plan, row by row.
func (c *Call) Jacobian(p *Plan) ([]float64, error) {
	c.left = max(1, p.Runs())
	var forward, reverse [][]float64
	for colour := range p.Colours {
		got, err := c.forward(func(j int) float64 { return one(p.Colour[j] == colour) })
		if err != nil {
			return nil, err
		}
		forward = append(forward, got)
	}
	for _, i := range p.Dense {
		got, err := c.reverse(func(row int) float64 { return one(row == i) })
		if err != nil {
			return nil, err
		}
		reverse = append(reverse, got)
	}
	if p.Runs() == 0 {
		if _, err := c.forward(func(int) float64 { return 0 }); err != nil {
			return nil, err
		}
	}
	return p.Recover(forward, reverse), nil
}

// forward are the derivatives of all rows in a direction.
func (c *Call) forward(direction func(column int) float64) ([]float64, error) {
	x := differentiate.InterfaceOf(c.Module, c.Function, true)
	args := c.args()
	moving := map[int]ir.Val{}
	for _, k := range x.Moving {
		moving[k] = c.like(x.In[k], args[k], func(i int) float64 {
			if k == c.By.N {
				return direction(i)
			}
			return 0
		})
		args = append(args, moving[k])
	}
	results, err := c.run(x.Name, args, len(x.Out))
	if err != nil {
		return nil, err
	}
	if c.Of.Result {
		at := slices.Index(x.Gives, c.Of.N)
		return c.numbers(x.Out[c.Of.N], results[len(x.Out)+at]), nil
	}
	out, ok := moving[c.Of.N]
	if !ok { // nothing writes there
		out = c.like(x.In[c.Of.N], args[c.Of.N], func(int) float64 { return 0 })
	}
	return c.numbers(x.In[c.Of.N], out), nil
}

// reverse are the derivatives of a weighted sum of the rows by all columns.
func (c *Call) reverse(weight func(row int) float64) ([]float64, error) {
	x := differentiate.InterfaceOf(c.Module, c.Function, false)
	args, shadow := c.adjoints(x, weight)
	results, err := c.run(x.Name, args, len(x.Out))
	if err != nil {
		return nil, err
	}
	if shadow < 0 {
		return c.numbers(x.In[c.By.N], results[len(x.Out)]), nil
	}
	return c.numbers(x.In[c.By.N], args[shadow]), nil
}

// adjoints are the arguments of the gradient of a weighted sum, and the number of that which holds the derivatives; -1 for the result
// behind those of the function.
func (c *Call) adjoints(x *differentiate.Interface, weight func(row int) float64) (args []ir.Val, shadow int) {
	args, shadow = c.args(), -1
	for _, k := range x.Seeds {
		args = append(args, c.like(x.Out[k], ir.Val{}, func(i int) float64 {
			if c.Of == (Place{Result: true, N: k}) {
				return weight(i)
			}
			return 0
		}))
	}
	for _, k := range x.Moving {
		if k == c.By.N {
			shadow = len(args)
		}
		args = append(args, c.like(x.In[k], args[k], func(i int) float64 {
			if c.Of == (Place{N: k}) {
				return weight(i)
			}
			return 0
		}))
	}
	return args, shadow
}

// Gradient is the call of the gradient of the sum of the rows, as a function of its own: its derivatives are those of the
// second order.
func (c *Call) Gradient() *Call {
	x := differentiate.InterfaceOf(c.Module, c.Function, false)
	out := *c
	out.Function, out.left = x.Name, 1
	var shadow int
	out.Args, shadow = out.adjoints(x, func(int) float64 { return 1 })
	out.Of = Place{N: shadow}
	if shadow < 0 {
		out.Of = Place{Result: true, N: len(x.Out)}
	}
	return &out
}

// Hessian is the entries of a plan, row by row, for the call of a gradient.
func (c *Call) Hessian(p *StarPlan) ([]float64, error) {
	c.left = max(1, p.Colours)
	var products [][]float64
	for colour := range c.left {
		got, err := c.forward(func(j int) float64 { return one(p.Colour[j] == colour) })
		if err != nil {
			return nil, err
		}
		products = append(products, got)
	}
	return p.Recover(products), nil
}

// one is 1 if something holds, else 0.
func one(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// run runs a function that gives results behind those of the function.
func (c *Call) run(name string, args []ir.Val, results int) ([]ir.Val, error) {
	out, err := c.Run(name, args)
	if err == nil {
		c.Results = out[:results]
	}
	c.left--
	return out, err
}

// args are the arguments of the next run: memory is copied, but for the last one.
func (c *Call) args() []ir.Val {
	out := slices.Clone(c.Args)
	if c.left <= 1 {
		return out
	}
	copies := map[*interp.Memory]*interp.Buffer{}
	for i, a := range out {
		out[i] = copied(c.Module.Ctx, a, copies)
	}
	return out
}

// copied is a value with memory of its own, if it is memory: that of all others of the same.
func copied(c *ir.Context, v ir.Val, copies map[*interp.Memory]*interp.Buffer) ir.Val {
	r, ok := v.Ref.(*interp.MemRef)
	if !ok {
		return v
	}
	from := r.Buf.Whole()
	to := copies[r.Buf.Memory]
	if to == nil {
		to = interp.NewBuffer(c, from.Elem, from.Len(), false)
		copies[r.Buf.Memory] = to
		for k := range from.Len() {
			to.Store(k, from.Load(k))
		}
	}
	return (&interp.MemRef{Buf: to, Offset: r.Offset, Sizes: r.Sizes, Strides: r.Strides}).Val()
}

// like is a float, or memory of the shape of another, with numbers in the order of the indices.
func (c *Call) like(t ir.Type, v ir.Val, number func(i int) float64) ir.Val {
	r, ok := v.Ref.(*interp.MemRef)
	if !ok {
		return ir.FloatVal(number(0), t)
	}
	elem := c.Module.Ctx.Info(t).Elem
	out := &interp.MemRef{Buf: interp.NewBuffer(c.Module.Ctx, elem, r.Buf.Len(), false), Offset: r.Offset, Sizes: r.Sizes, Strides: r.Strides}
	i := 0
	out.Each(func(pos int) {
		out.Buf.Store(pos, ir.FloatVal(number(i), elem))
		i++
	})
	return out.Val()
}

// numbers are those of a float, or of the elements of memory.
func (c *Call) numbers(t ir.Type, v ir.Val) (out []float64) {
	r, ok := v.Ref.(*interp.MemRef)
	if !ok {
		return []float64{v.Float(t)}
	}
	elem := c.Module.Ctx.Info(t).Elem
	r.Each(func(pos int) { out = append(out, r.Buf.Load(pos).Float(elem)) })
	return out
}
