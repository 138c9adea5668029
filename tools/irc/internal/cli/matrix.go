package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// A Matrix is a sparse Jacobian or Hessian, to be had from runs of derivatives.
type Matrix struct {
	Graph   *ir.Graph
	Entries []string // the functions that run

	Shape            [2]int
	Rows, Columns    []int // of the entries that may be other than 0, row by row
	Forward, Reverse int   // runs of each mode
	// Values runs them, the last one on the arguments themselves, and gives the entries and the results of the function.
	Values func(run func(function string, args []ir.Val) ([]ir.Val, error)) (values []float64, results []ir.Val, err error)
}

// A Place is what is derived, or what it is derived by: a result or an argument of the lowered function, a float or memory of floats.
type Place struct {
	Result bool
	N      int
}

// A MatrixRequest asks for the derivatives of one place by another.
type MatrixRequest struct {
	Entry  string
	Args   []ir.Val // of the lowered function
	Of, By Place
	Second bool // those of the second order, of the sum of its elements
	Memory int64
}

// matrix is a call that gives one.
type matrix struct {
	*Matrix
	name   string // of its flag
	back   func() // brings what was stored into arrays of parts back
	values []float64
}

// matrixFlags ask for matrices, and derivativeFlags for any derivatives.
var (
	matrixFlags     = []string{"jacobian", "hessian"}
	derivativeFlags = append([]string{"gradient"}, matrixFlags...)
)

// asked is the flag of a list that is set, or "".
func (s *Session) asked(flags []string) string {
	if i := slices.IndexFunc(flags, s.IsSet); i >= 0 {
		return flags[i]
	}
	return ""
}

// deriveMatrix makes of the call of a function one of its derivatives by runs.
func (j *job) deriveMatrix(name string) error {
	if j.hasTables() {
		return Usagef("give arrays in JSON", "-%s has no derivatives by the columns of a table", name)
	}
	of, by, err := j.matrixPlaces(name)
	if err != nil {
		return err
	}
	x := &matrix{name: name}
	r := MatrixRequest{Entry: j.entry, Of: of, By: by, Second: name == "hessian", Memory: j.memory()}
	for _, p := range []*Place{&r.Of, &r.By} {
		if !p.Result {
			flat, _ := partwise.Flatten(j.g.Ctx, j.in[:p.N], j.args[:p.N])
			p.N = len(flat)
		}
	}
	r.Args, x.back = partwise.Flatten(j.g.Ctx, j.in, j.args)
	if x.Matrix, err = j.s.Program.Lowering.Matrix(j.s, j.g, j.src, r); err != nil {
		return err
	}
	j.matrix, j.g, j.entry = x, x.Graph, x.Entries[0]
	return nil
}

// matrixPlaces are what OUT/IN names. OUT may be left out where there is one.
func (j *job) matrixPlaces(name string) (of, by Place, err error) {
	out, in, both := strings.Cut(j.s.Str(name), "/")
	if !both {
		out, in = "", out
	}
	if by, err = j.placeOf(in, false); err != nil {
		return of, by, j.noMatrix(name, err)
	}
	if both {
		of, err = j.placeOf(out, true)
	} else {
		of, err = j.onlyOutput()
	}
	if err != nil {
		err = j.noMatrix(name, err)
	}
	return of, by, err
}

// noMatrix is an error about a place, with what there is to choose from.
func (j *job) noMatrix(name string, err error) error {
	d := diag.Errorf(diag.Span{}, "-%s=%s: %v", name, j.s.Str(name), err)
	if j.bound != nil {
		return d.WithFix("write OUT/IN, an output and an input: %s", spelled(j.floatNames(j.bound.Names), "", "or")+" by "+spelled(j.floatNames(j.bound.Inputs), "", "or"))
	}
	return d.WithFix("write OUT/IN: OUT is N, result N, or argN, what argument N holds at the end, and IN is argN; each is a float or memory of floats, and both count from 0")
}

// placeOf is what one name means.
func (j *job) placeOf(name string, output bool) (Place, error) {
	if j.bound != nil {
		names := j.bound.Inputs
		if output {
			names = j.bound.Names
		}
		if !slices.Contains(j.floatNames(names), name) {
			return Place{}, fmt.Errorf("the program has no %s %s of floats", map[bool]string{true: "output", false: "input"}[output], name)
		}
		return Place{N: slices.Index(names, name)}, nil
	}
	rest, isArg := strings.CutPrefix(name, "arg")
	n, bad := strconv.Atoi(rest)
	switch {
	case bad != nil || n < 0 || !isArg && !output:
		return Place{}, fmt.Errorf("%q names no %s", name, map[bool]string{true: "result and no argument", false: "argument"}[output])
	case isArg && n >= len(j.in):
		return Place{}, fmt.Errorf("@%s has %s", j.entry, counted(len(j.in), "argument"))
	case isArg && !j.isFloats(j.in[n]) && (output || !j.g.Ctx.IsFloat(j.in[n])):
		return Place{}, fmt.Errorf("argument %d of @%s is no %s", n, j.entry, map[bool]string{true: "memory of floats", false: "float and no memory of floats"}[output])
	case !isArg && n >= len(j.out):
		return Place{}, fmt.Errorf("@%s has %s", j.entry, counted(len(j.out), "result"))
	case !isArg && !j.g.Ctx.IsFloat(j.out[n]):
		return Place{}, fmt.Errorf("result %d of @%s is no float", n, j.entry)
	}
	return Place{Result: !isArg, N: n}, nil
}

// isFloats reports memory of floats.
func (j *job) isFloats(t ir.Type) bool {
	info := j.g.Ctx.Info(t)
	return info.Kind == ir.KindMemRef && j.g.Ctx.IsFloat(info.Elem)
}

// floatNames are those of arrays of floats, or of floats.
func (j *job) floatNames(names []string) (out []string) {
	for i, name := range names {
		if name != "" && (j.isFloats(j.in[i]) || j.g.Ctx.IsFloat(j.in[i])) {
			out = append(out, name)
		}
	}
	return out
}

// onlyOutput is the one float that a function gives, or the one output of floats of equations.
func (j *job) onlyOutput() (Place, error) {
	if j.bound != nil {
		names := j.floatNames(j.bound.Names)
		if len(names) != 1 {
			return Place{}, fmt.Errorf("the program has %s of floats", counted(len(names), "output"))
		}
		return Place{N: slices.Index(j.bound.Names, names[0])}, nil
	}
	var floats []int
	for i, t := range j.out {
		if j.g.Ctx.IsFloat(t) {
			floats = append(floats, i)
		}
	}
	if len(floats) != 1 {
		return Place{}, fmt.Errorf("@%s gives %s", j.entry, counted(len(floats), "float"))
	}
	return Place{Result: true, N: floats[0]}, nil
}

// callMatrix runs the derivatives, and gives the results of the function.
func (j *job) callMatrix(p contract.Program) (results []ir.Val, err error) {
	x := j.matrix
	x.values, results, err = x.Values(func(function string, args []ir.Val) ([]ir.Val, error) { return j.invokeAs(p, function, args) })
	if err != nil {
		return nil, err
	}
	x.back()
	if len(results) == len(j.out) {
		return results, nil
	}
	return partwise.Unflatten(j.g.Ctx, j.out, results)
}

// object is the matrix as triplets.
func (x *matrix) object() jsontext.Object {
	return jsontext.Object{
		{Key: "shape", Value: x.Shape[:]},
		{Key: "rows", Value: append([]int{}, x.Rows...)},
		{Key: "columns", Value: append([]int{}, x.Columns...)},
		{Key: "values", Value: jsontext.Numbers(append([]float64{}, x.values...))},
		{Key: "forward", Value: x.Forward},
		{Key: "reverse", Value: x.Reverse},
	}
}
