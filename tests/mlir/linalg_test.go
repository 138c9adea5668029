package mlir_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/linalg"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/tests/built"
)

// linalgToLLVM is MLIR's way from structured ops on memrefs.
var linalgToLLVM = strings.Replace(toLLVM, "func.func(", "func.func(convert-linalg-to-loops),func.func(", 1)

// linalgMaker writes random functions of structured ops on memrefs, which are its arguments.
type linalgMaker struct {
	*irtest.Writer
	args []irtest.Arg
	elem string
	// static says that all extents are in the types: MLIR wants that of reduce, transpose and broadcast, or none.
	static bool
}

// rounded are the functions that no two libraries compute alike.
var rounded = []string{"exp", "log", "tanh", "erf", "powf", "rsqrt"}

// memory makes an argument of a shape, or takes one that is there, and gives its name and type.
func (m *linalgMaker) memory(elem string, shape []int, fresh bool) (name, typ string) {
	for i, a := range m.args {
		if !fresh && a.Elem == elem && slices.Equal(a.Sizes, shape) && m.IntN(2) == 0 && !(m.static && strings.Contains(a.Type, "?")) {
			return fmt.Sprintf("%%m%d", i), a.Type
		}
	}
	a := irtest.Arg{Elem: elem, Sizes: shape, Strides: make([]int, len(shape))}
	n, dims := 1, ""
	for d := len(shape) - 1; d >= 0; d-- {
		a.Strides[d] = n
		n *= shape[d]
		dim := fmt.Sprint(shape[d])
		if !m.static && m.IntN(4) == 0 {
			dim = "?"
		}
		dims = dim + "x" + dims
	}
	a.Type = "memref<" + dims + elem + ">"
	for range n {
		a.Elems = append(a.Elems, m.number(elem))
	}
	m.args = append(m.args, a)
	return fmt.Sprintf("%%m%d", len(m.args)-1), a.Type
}

// number is a small one, never zero, as bits.
func (m *linalgMaker) number(elem string) uint64 {
	n := 1 + m.IntN(9)
	if m.IntN(3) == 0 {
		n = -n
	}
	switch elem {
	case "f32":
		return uint64(math.Float32bits(float32(n) / 4))
	case "f64":
		return math.Float64bits(float64(n) / 8)
	case "i8":
		return uint64(uint8(n))
	}
	return uint64(uint32(n))
}

// extents are the shape that an operand needs, with something over where a subscript is none of a loop alone.
func (m *linalgMaker) extents(f *expr.Map, loops []int64) (out []int) {
	last := make([]int64, len(loops))
	for d, n := range loops {
		last[d] = n - 1
	}
	for _, e := range f.Results {
		n, err := e.Eval(last, nil)
		if err != nil {
			panic(err)
		}
		if e.Op != expr.OpDim {
			n += int64(m.IntN(2))
		}
		out = append(out, int(n)+1)
	}
	return out
}

// named writes an op of the table.
func (m *linalgMaker) named(r linalg.Row) {
	strides, dilations := make([]int64, 3), make([]int64, 3)
	var attrs []string
	for i := range 3 {
		strides[i], dilations[i] = 1, 1
	}
	windows := 0
	for i := range 3 {
		if strings.Contains(r.Space, fmt.Sprintf("s%d", i)) {
			windows = i + 1
		}
	}
	if windows > 0 && m.IntN(2) == 0 {
		for i := range windows {
			strides[i], dilations[i] = 1+m.Int64N(3), 1+m.Int64N(2)
		}
		list := func(ns []int64) string { return strings.ReplaceAll(fmt.Sprint(ns[:windows]), " ", ", ") }
		attrs = append(attrs, fmt.Sprintf("dilations = dense<%s> : tensor<%dxi64>", list(dilations), windows),
			fmt.Sprintf("strides = dense<%s> : tensor<%dxi64>", list(strides), windows))
	}
	rank := m.IntN(4)
	s := r.Structure(rank, strides, dilations)
	out, in := m.elem, m.elem
	if strings.Contains(r.Body, "cast") && out == "i32" && !strings.HasSuffix(r.Name, "_q") && r.Name != "batch_reduce_matmul" && m.IntN(2) == 0 {
		in = "i8"
	}
	if slices.Contains(r.Attrs, "cast") && m.IntN(3) == 0 {
		attrs = append(attrs, "cast = #linalg.type_fn<cast_unsigned>")
	}
	if slices.Contains(r.Attrs, "fun") && m.IntN(2) == 0 {
		attrs = append(attrs, map[int]string{1: "fun = #linalg.unary_fn<square>", 2: "fun = #linalg.binary_fn<max_signed>"}[s.Inputs])
	}
	dict := ""
	if len(attrs) > 0 {
		dict = " {" + strings.Join(attrs, ", ") + "}"
	}
	m.write("linalg."+r.Name+dict, s, slices.Repeat([]string{in}, s.Inputs), out, "")
}

// write writes an op of a structure: its extents are random.
func (m *linalgMaker) write(op string, s *linalg.Structure, ins []string, out, tail string) {
	loops := make([]int64, len(s.Reduction))
	for d := range loops {
		loops[d] = 1 + m.Int64N(4)
	}
	var names, types []string
	add := func(name, typ string) { names, types = append(names, name), append(types, typ) }
	for i, elem := range ins {
		if len(s.Maps[i].Results) == 0 && (m.IntN(2) == 0 || strings.HasPrefix(op, "linalg.fill")) {
			add(m.scalar(elem), elem)
			continue
		}
		add(m.memory(elem, m.extents(s.Maps[i], loops), false))
	}
	outName, outType := m.memory(out, m.extents(s.Maps[s.Inputs], loops), false)
	list := ""
	if len(ins) > 0 {
		list = fmt.Sprintf(" ins(%s : %s)", strings.Join(names, ", "), strings.Join(types, ", "))
	}
	m.Line("%s%s outs(%s : %s)%s", op, list, outName, outType, tail)
}

func (m *linalgMaker) scalar(elem string) string {
	v := m.Name()
	if elem[0] == 'f' {
		m.Line("%s = arith.constant %d.5 : %s", v, m.IntN(4), elem)
	} else {
		m.Line("%s = arith.constant %d : %s", v, m.IntN(9)-4, elem)
	}
	return v
}

// compute writes a body on values and gives the name of what it makes.
func (m *linalgMaker) compute(values []string, loops int) string {
	for range 1 + m.IntN(4) {
		v := m.Name()
		if loops > 0 && m.elem != "f32" && m.IntN(4) == 0 {
			i, j := m.Name(), m.Name()
			m.Line("  %s = linalg.index %d : index", i, m.IntN(loops))
			if m.elem == "i32" {
				m.Line("  %s = arith.index_cast %s : index to i32", v, i)
			} else {
				m.Line("  %s = arith.index_cast %s : index to i64\n    %s = arith.sitofp %s : i64 to f64", j, i, v, j)
			}
		} else {
			ops := []string{"arith.addi", "arith.muli", "arith.subi", "arith.maxsi", "arith.xori"}
			if m.elem[0] == 'f' {
				ops = []string{"arith.addf", "arith.mulf", "arith.subf", "arith.maximumf"}
			}
			m.Line("  %s = %s %s, %s : %s", v, ops[m.IntN(len(ops))], values[m.IntN(len(values))], values[m.IntN(len(values))], m.elem)
		}
		values = append(values, v)
	}
	return values[len(values)-1]
}

// generic writes a linalg.generic with random maps.
func (m *linalgMaker) generic() {
	n := 1 + m.IntN(3)
	s := &linalg.Structure{Inputs: m.IntN(3), Reduction: make([]bool, n)}
	if s.Inputs == 0 {
		s.Inputs = 1
	}
	perm := m.Perm(n)
	identity := &expr.Map{Dims: n}
	for _, d := range perm {
		identity.Results = append(identity.Results, expr.Dim(d))
	}
	s.Maps = append(s.Maps, identity) // every loop has an extent
	for len(s.Maps) < s.Inputs {
		f := &expr.Map{Dims: n}
		for range m.IntN(3) {
			e := expr.Dim(m.IntN(n))
			if m.IntN(3) == 0 {
				e = expr.Add(e, expr.Mul(expr.Dim(m.IntN(n)), expr.Const(1+m.Int64N(2)))).Simplify()
			}
			f.Results = append(f.Results, e)
		}
		s.Maps = append(s.Maps, f)
	}
	out, kinds := &expr.Map{Dims: n}, slices.Repeat([]string{`"reduction"`}, n)
	for _, d := range m.Perm(n) {
		if m.IntN(3) > 0 {
			out.Results = append(out.Results, expr.Dim(d))
			kinds[d] = `"parallel"`
		}
	}
	s.Maps = append(s.Maps, out)
	var maps, params []string
	for i, f := range s.Maps {
		maps = append(maps, "affine_map<"+f.String()+">")
		params = append(params, fmt.Sprintf("%%x%d_%d", m.Names, i))
	}
	outer := m.String()
	m.Reset()
	head := "    ^bb0("
	for i, p := range params {
		head += []string{", ", ""}[btoi(i == 0)] + p + ": " + m.elem
	}
	y := m.compute(slices.Clone(params), n)
	tail := " {\n" + head + "):\n" + m.String() + "    linalg.yield " + y + " : " + m.elem + "\n  }"
	m.Reset()
	m.WriteString(outer)
	m.write(fmt.Sprintf("linalg.generic {indexing_maps = [%s], iterator_types = [%s]}", strings.Join(maps, ", "), strings.Join(kinds, ", ")),
		s, slices.Repeat([]string{m.elem}, s.Inputs), m.elem, tail)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// simple writes map, reduce, transpose or broadcast.
func (m *linalgMaker) simple() {
	m.static = true
	defer func() { m.static = false }()
	var shape []int
	for range 1 + m.IntN(3) {
		shape = append(shape, 1+m.IntN(4))
	}
	n := len(shape)
	op := map[bool]string{true: "arith.addf", false: "arith.addi"}[m.elem[0] == 'f']
	if m.IntN(2) == 0 {
		op = map[bool]string{true: "arith.mulf", false: "arith.subi"}[m.elem[0] == 'f']
	}
	a, at := m.memory(m.elem, shape, false)
	dims, rest := []string(nil), []int(nil)
	for d, e := range shape {
		if m.IntN(2) == 0 {
			dims = append(dims, fmt.Sprint(d))
		} else {
			rest = append(rest, e)
		}
	}
	switch m.IntN(5) {
	case 0:
		b, bt := m.memory(m.elem, shape, false)
		c, ct := m.memory(m.elem, shape, false)
		m.Line("linalg.map { %s } ins(%s, %s : %s, %s) outs(%s : %s)", op, a, b, at, bt, c, ct)
	case 1:
		c, ct := m.memory(m.elem, shape, false)
		x := m.Name()
		head := fmt.Sprintf("linalg.map ins(%s : %s) outs(%s : %s) (%s: %s) {", a, at, c, ct, x, m.elem)
		m.Line("%s", head)
		y := m.compute([]string{x}, n)
		m.Line("  linalg.yield %s : %s\n  }", y, m.elem)
	case 2:
		b, bt := m.memory(m.elem, rest, true)
		m.Line("linalg.reduce { %s } ins(%s : %s) outs(%s : %s) dimensions = [%s]", op, a, at, b, bt, strings.Join(dims, ", "))
	case 3:
		perm := m.Perm(n)
		if slices.IsSorted(perm) {
			return // MLIR 19 drops it, as if it were on tensors
		}
		to := make([]int, n)
		for i, p := range perm {
			to[i] = shape[p]
		}
		b, bt := m.memory(m.elem, to, true)
		m.Line("linalg.transpose ins(%s : %s) outs(%s : %s) permutation = %s", a, at, b, bt, strings.ReplaceAll(fmt.Sprint(perm), " ", ", "))
	case 4:
		b, bt := m.memory(m.elem, rest, true)
		m.Line("linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = [%s]", b, bt, a, at, strings.Join(dims, ", "))
	}
}

// linalgProgram is the program of a seed: ulp is how far off its results may be.
func linalgProgram(seed uint64) (p *irtest.Program, ulp int64) {
	m := &linalgMaker{Writer: irtest.NewWriter(18, seed), elem: []string{"i32", "f64", "f32"}[seed%3]}
	m.Indent = 1
	rows := linalg.Rows()
	for k := range 1 + m.IntN(3) {
		r := rows[(seed*7+uint64(k)*31)%uint64(len(rows))]
		approximate := slices.Contains(rounded, r.Name) || strings.HasPrefix(r.Name, "elemwise")
		integers := m.elem == "i32" && strings.Contains("exp log abs ceil floor negf reciprocal round sqrt rsqrt tanh erf powf elemwise_unary square", r.Name)
		switch {
		case k == 0 && r.Name != "select" && r.Name != "fill_rng_2d" && !integers && (m.elem == "i32" || r.Name != "div_unsigned"):
			m.named(r)
			if approximate {
				ulp = 16
			}
		case ulp > 0:
		case m.IntN(2) == 0:
			m.generic()
		default:
			m.simple()
		}
	}
	var params []string
	for i, a := range m.args {
		params = append(params, fmt.Sprintf("%%m%d: %s", i, a.Type))
	}
	name := fmt.Sprintf("s%d_f", seed)
	text := fmt.Sprintf("module {\nfunc.func @%s(%s) {\n%s  return\n}\n}\n", name, strings.Join(params, ", "), m.String())
	return &irtest.Program{Seed: seed, Text: text, Entry: name, Args: m.args}, ulp
}

// Random programs of structured ops give what they give when MLIR makes loops of them and compiles those, and when irc compiles
// them. `go test ./tests/mlir -run Linalg -programs=3000` runs 2,000.
func TestLinalgSameAsMLIR(t *testing.T) {
	c := child(t)
	e, _, err := engine.New(t.Context(), "llvm", engine.Options{Level: built.Level()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	compared, total := 0, *programs*2/3
	for done := 0; done < total && !t.Failed(); done += perModule {
		var batch []*irtest.Program
		var ulps []int64
		var all strings.Builder
		for i := range min(perModule, total-done) {
			p, ulp := linalgProgram(*firstSeed + uint64(done+i))
			batch, ulps = append(batch, p), append(ulps, ulp)
			all.WriteString(strings.TrimSuffix(strings.TrimPrefix(p.Text, "module {\n"), "}\n"))
		}
		m := native(t, c, compileAlong(t, linalgToLLVM, []string{all.String()}, nil))
		ours := compileOurs(t, e, all.String())
		for i, p := range batch {
			n, err := compareWithMLIR(t, c, m, p, ulps[i])
			if err == nil {
				err = compareOurs(t, ours, p, ulps[i])
			}
			if err != nil {
				t.Errorf("seed %d: %v\n%s", p.Seed, err, p.Text)
			}
			compared += n
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d programs; %d values compared", total, compared)
	if compared < 20*total {
		t.Errorf("%d values of %d programs compared: the test tests little", compared, total)
	}
}

func compileOurs(t *testing.T, e engine.Engine, src string) engine.Program {
	t.Helper()
	g, err := parse(newContext(), "linalg.mlir", src, false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compareOurs runs a program by irc's own code and on the interpreter.
func compareOurs(t *testing.T, ours engine.Program, p *irtest.Program, ulp int64) error {
	want, err := runRandom(p)
	if err != nil {
		return err
	}
	var args []ir.Val
	x := newContext()
	var bufs []*interp.MemRef
	for _, a := range p.Args {
		buf := interp.NewBuffer(x, scalarType(x, a.Elem), len(a.Elems), false)
		r := &interp.MemRef{Buf: buf}
		for k, bits := range a.Elems {
			buf.Store(k, ir.Val{Bits: bits})
		}
		for i := range a.Sizes {
			r.Sizes, r.Strides = append(r.Sizes, int64(a.Sizes[i])), append(r.Strides, int64(a.Strides[i]))
		}
		bufs = append(bufs, r)
		args = append(args, r.Val())
	}
	results, _, err := ours.Call(t.Context(), p.Entry, args)
	if err != nil {
		return err
	}
	i := 0
	for _, r := range results {
		if w := want[i]; !w.poison && !equal(w.bits, r.Bits, w.typ, ulp) {
			return fmt.Errorf("irc's code makes result %d %s, which is %s", i, show(mask(r.Bits, w.typ), w.typ), show(mask(w.bits, w.typ), w.typ))
		}
		i++
	}
	for k, a := range p.Args {
		r := bufs[k]
		for j := range a.Elems {
			if w := want[i]; !w.poison && !equal(w.bits, r.Buf.Load(j).Bits, w.typ, ulp) {
				return fmt.Errorf("irc's code makes element %d of argument %d %s, which is %s", j, k, show(mask(r.Buf.Load(j).Bits, w.typ), w.typ), show(mask(w.bits, w.typ), w.typ))
			}
			i++
		}
	}
	return nil
}
