package cli

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// A Derived is a program with the gradient of a function. The gradient takes the arguments of the function, a seed for each
// float result and a shadow for each memory of floats. It gives the results, and then the adjoints.
type Derived struct {
	Graph    *ir.Graph
	Entry    string    // the gradient
	In, Out  []ir.Type // of the function, lowered
	Seeds    []int     // the results with seeds
	Shadows  []int     // the arguments with shadows
	Adjoints []int     // the arguments whose adjoints it gives
}

// gradient is a call of one.
type gradient struct {
	*Derived
	args  []ir.Val
	first []int  // where the parts of each argument, as it is written, begin among In, and where the last ones end
	back  func() // brings what was stored into arrays of parts back
	by    []ir.Val
	known []bool // the parts by which there is a derivative, which is in by
}

// derivation is what a run shows of derivatives, if it does.
type derivation struct {
	gradient *gradient // of -gradient
	matrix   *matrix   // of -jacobian or -hessian
}

// notOfGradients are flags about the function that is written, which is not what runs.
var notOfGradients = []string{"tune", "tune-file", "dump-pass-pipeline", "time-kernels"}

// derive makes of the call of a function that of its gradient.
func (j *job) derive() error {
	if j.hasTables() {
		return Usagef("give arrays in JSON", "-gradient has no derivatives by the columns of a table")
	}
	if j.bound != nil {
		if _, err := j.derivedOutput(); err != nil {
			return err
		}
	}
	d, err := j.s.Program.Lowering.Derive(j.s, j.g, j.src, j.entry)
	if err != nil {
		return err
	}
	x := &gradient{Derived: d, by: make([]ir.Val, len(d.In)), known: make([]bool, len(d.In)), first: []int{0}}
	for i := range j.in {
		flat, _ := partwise.Flatten(j.g.Ctx, j.in[i:i+1], j.args[i:i+1])
		x.first = append(x.first, x.first[i]+len(flat))
	}
	x.args, x.back = partwise.Flatten(j.g.Ctx, j.in, j.args)
	result, arg, err := j.derived(x)
	if err != nil {
		return err
	}
	for _, k := range d.Seeds {
		seed, err := j.seedOf(d.Out[k], k, k == result)
		if err != nil {
			return err
		}
		x.args = append(x.args, seed)
	}
	for _, k := range d.Shadows {
		x.by[k], x.known[k] = shadowOf(j.g.Ctx, x.args[k], d.In[k], k == arg), true
		x.args = append(x.args, x.by[k])
	}
	j.gradient, j.g, j.entry = x, d.Graph, d.Entry
	return nil
}

// deriveAny does what the flag of derivatives asks for, if there is one.
func (j *job) deriveAny() error {
	if j.s.IsSet("gradient") {
		return j.derive()
	}
	if name := j.s.asked(matrixFlags); name != "" {
		return j.deriveMatrix(name)
	}
	return nil
}

// entries are the functions that the engine is asked to run.
func (j *job) entries() []string {
	if j.matrix != nil {
		return j.matrix.Entries
	}
	return []string{j.entry}
}

// canDerive refuses what goes with no derivatives.
func (s *Session) canDerive(p *pass.Pipeline) error {
	flag := s.asked(derivativeFlags)
	if flag == "" {
		return nil
	}
	for _, other := range derivativeFlags {
		if other != flag && s.IsSet(other) {
			return Usagef("leave one of them out", "-%s and -%s run different derivatives", flag, other)
		}
	}
	for _, name := range notOfGradients {
		if s.IsSet(name) {
			return Usagef("leave one of them out", "-%s is about the function that is written, and -%s runs another", name, flag)
		}
	}
	switch path := s.outPath(); {
	case s.Program.Lowering == nil || s.Program.Lowering.Derive == nil || s.Program.Lowering.Matrix == nil:
		return Usagef("", "this irc derives no programs")
	case p.End() != nil:
		return Usagef("leave its end out", "the pipeline ends in %s, and -%s runs passes after it", p.End().EndName(), flag)
	case strings.ToLower(filepath.Ext(path)) == csvExt:
		return Usagef("name a file .json", "-%s writes JSON, and -o=%s asks for a table", flag, path)
	}
	return nil
}

// seedOf is the adjoint of a result: 1 for what is derived, in each element of a vector, and 0 for others.
func seedOf(c *ir.Context, t ir.Type, derived bool) (ir.Val, error) {
	text := "0"
	if derived {
		text = "1"
	}
	if info := c.Info(t); info.Kind == ir.KindVector {
		for _, n := range slices.Backward(info.Shape) {
			text = "[" + strings.TrimSuffix(strings.Repeat(text+",", int(n)), ",") + "]"
		}
	}
	vals, err := interp.ArgsFromJSON(c, []ir.Type{t}, []byte("["+text+"]"), nil)
	if err != nil {
		return ir.Val{}, err
	}
	return vals[0], nil
}

// seedOf is the adjoint of a result, which for memory is memory of its shape.
func (j *job) seedOf(t ir.Type, k int, derived bool) (ir.Val, error) {
	c := j.g.Ctx
	info := c.Info(t)
	if info.Kind != ir.KindMemRef {
		return seedOf(c, t, derived)
	}
	n, ok := ir.Product(info.Shape...)
	if !ok || slices.Contains(info.Shape, ir.Dynamic) {
		d := diag.Errorf(diag.Span{}, "result %d of @%s has extents that are not known before it runs", k, j.entry)
		return ir.Val{}, d.WithFix("write them in its type, or sum its elements up in a function that gives the sum")
	}
	strides, _, _ := strided.RowMajor(info.Shape)
	like := &interp.MemRef{Buf: interp.NewBuffer(c, info.Elem, int(n), false), Sizes: info.Shape, Strides: strides}
	return shadowOf(c, like.Val(), t, derived), nil
}

// shadowOf is memory for the adjoints of a memory's elements: those at the end, 1 each if their sum is derived.
func shadowOf(c *ir.Context, memory ir.Val, t ir.Type, derived bool) ir.Val {
	of, elem := memory.Ref.(*interp.MemRef), c.Info(t).Elem
	out := &interp.MemRef{Buf: interp.NewBuffer(c, elem, of.Buf.Len(), false), Offset: of.Offset, Sizes: of.Sizes, Strides: of.Strides}
	one, err := seedOf(c, elem, derived)
	for i := 0; i < out.Buf.Len() && err == nil; i++ {
		out.Buf.Store(i, one)
	}
	return out.Val()
}

// callGradient calls it, and gives the results of the function.
func (j *job) callGradient(p contract.Program) ([]ir.Val, error) {
	x := j.gradient
	in, out, err := p.Signature(j.entry)
	if err != nil {
		return nil, err
	}
	args, err := partwise.Unflatten(j.g.Ctx, in, x.args) // what runs may take tensors as they are
	if err != nil {
		return nil, err
	}
	results, err := j.invoke(p, args)
	if err != nil {
		return nil, err
	}
	results, _ = partwise.Flatten(j.g.Ctx, out, results)
	x.back()
	for i, k := range x.Adjoints {
		x.by[k], x.known[k] = results[len(x.Out)+i], true
	}
	results = results[:len(x.Out)]
	if slices.Equal(x.Out, j.out) {
		return results, nil
	}
	return partwise.Unflatten(j.g.Ctx, j.out, results)
}

// derivative is what there is by an argument, as JSON: null by what is no float, and an array of this by one of several parts.
func (j *job) derivative(i int) (string, error) {
	x, parts := j.gradient, []string{}
	for k := x.first[i]; k < x.first[i+1]; k++ {
		if !x.known[k] {
			parts = append(parts, "null")
			continue
		}
		text, err := interp.ToJSON(j.g.Ctx, x.by[k:k+1], x.In[k:k+1])
		if err != nil {
			return "", err
		}
		parts = append(parts, string(bytes.TrimSuffix(bytes.TrimPrefix(text, []byte("[")), []byte("]"))))
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return "[" + strings.Join(parts, ", ") + "]", nil
}

// derivatives lists what there is by each argument.
func (j *job) derivatives() (string, error) {
	var out []string
	for i := range j.in {
		text, err := j.derivative(i)
		if err != nil {
			return "", err
		}
		out = append(out, text)
	}
	return "[" + strings.Join(out, ", ") + "]", nil
}

// boundDerivatives are those by the inputs that are floats.
func (j *job) boundDerivatives() (out jsontext.Object, err error) {
	for i, name := range j.bound.Inputs {
		if name == "" || !j.gradient.known[j.gradient.first[i]] {
			continue
		}
		text, err := j.derivative(i)
		if err != nil {
			return nil, err
		}
		out = append(out, jsontext.Member{Key: "d/d" + name, Value: rawJSON(text)})
	}
	return out, nil
}
