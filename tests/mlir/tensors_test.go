package mlir_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/tests/built"
)

// A value of a program of tensors.
type tensorValue struct {
	name  string
	shape []int
	open  []bool // which extents the type leaves open
}

// tensorMaker writes random functions that compute with tensors and give weighted sums of them.
type tensorMaker struct {
	*irtest.Writer
	elem   string
	values []tensorValue
}

func (m *tensorMaker) typ(v tensorValue) string {
	s := "tensor<"
	for d, n := range v.shape {
		if v.open[d] {
			s += "?x"
		} else {
			s += fmt.Sprintf("%dx", n)
		}
	}
	return s + m.elem + ">"
}

func (m *tensorMaker) add(v tensorValue) {
	m.values = append(m.values, v)
}

func closed(name string, shape ...int) tensorValue {
	return tensorValue{name, shape, make([]bool, len(shape))}
}

// pick takes a value of a rank, with all extents in its type if so asked; of rank -1 any.
func (m *tensorMaker) pick(rank int, static bool) (tensorValue, bool) {
	var out []tensorValue
	for _, v := range m.values {
		if (rank < 0 || len(v.shape) == rank) && !(static && slices.Contains(v.open, true)) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return tensorValue{}, false
	}
	return out[m.IntN(len(out))], true
}

// alike takes a value of the type of another, perhaps that.
func (m *tensorMaker) alike(v tensorValue) tensorValue {
	var out []tensorValue
	for _, w := range m.values {
		if m.typ(w) == m.typ(v) && slices.Equal(w.shape, v.shape) {
			out = append(out, w)
		}
	}
	return out[m.IntN(len(out))]
}

// into is what an op of a shape writes to: a value that is there, or a new one.
func (m *tensorMaker) into(v tensorValue) tensorValue {
	if m.IntN(2) == 0 || slices.Contains(v.open, true) {
		if slices.ContainsFunc(m.values, func(w tensorValue) bool { return m.typ(w) == m.typ(v) && slices.Equal(w.shape, v.shape) }) {
			return m.alike(v)
		}
	}
	x, out := m.constant(m.IntN(5)-2), closed(m.Name(), v.shape...)
	if m.IntN(2) == 0 {
		m.Line("%s = tensor.splat %s : %s", out.name, x, m.typ(out))
		return out
	}
	e := m.Name()
	m.Line("%s = tensor.empty() : %s", e, m.typ(out))
	m.Line("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s", out.name, x, m.elem, e, m.typ(out), m.typ(out))
	return out
}

func (m *tensorMaker) constant(n int) string {
	v := m.Name()
	if m.elem == "f32" {
		m.Line("%s = arith.constant %d.0 : f32", v, n)
	} else {
		m.Line("%s = arith.constant %d : %s", v, n, m.elem)
	}
	return v
}

func (m *tensorMaker) index(n int) string {
	v := m.Name()
	m.Line("%s = arith.constant %d : index", v, n)
	return v
}

func (m *tensorMaker) op(i, f string) string {
	if m.elem == "f32" {
		return f
	}
	return i
}

// ofIndices writes an element made of indices.
func (m *tensorMaker) ofIndices(index []string) string {
	sum := ""
	for k, i := range index {
		c, p, s := m.index(k*3+1), m.Name(), m.Name()
		m.Line("%s = arith.muli %s, %s : index", p, i, c)
		if sum == "" {
			sum = p
			continue
		}
		m.Line("%s = arith.addi %s, %s : index", s, sum, p)
		sum = s
	}
	n := m.Name()
	m.Line("%s = arith.index_cast %s : index to i32", n, sum)
	if m.elem == "i32" {
		return n
	}
	f := m.Name()
	m.Line("%s = arith.sitofp %s : i32 to f32", f, n)
	return f
}

// within writes a region's ops further in.
func (m *tensorMaker) within(f func()) {
	m.Indent++
	f()
	m.Indent--
}

func (m *tensorMaker) shape(rank int) (out []int) {
	for range rank {
		out = append(out, 2+m.IntN(2))
	}
	return out
}

func (m *tensorMaker) generate() {
	v := closed(m.Name(), m.shape(1+m.IntN(2))...)
	var sizes, index, params []string
	for d := range v.shape {
		if m.IntN(3) == 0 {
			v.open[d] = true
			sizes = append(sizes, m.index(v.shape[d]))
		}
		index = append(index, m.Name())
		params = append(params, index[d]+": index")
	}
	m.Line("%s = tensor.generate %s {\n  ^bb0(%s):", v.name, strings.Join(sizes, ", "), strings.Join(params, ", "))
	m.within(func() { m.Line("tensor.yield %s : %s", m.ofIndices(index), m.elem) })
	m.Line("} : %s", m.typ(v))
	m.add(v)
}

func (m *tensorMaker) elementwise() {
	a, _ := m.pick(-1, false)
	b, to, r := m.alike(a), m.into(a), a
	r.name = m.Name()
	t := m.typ(a)
	switch m.IntN(4) {
	case 0:
		m.Line("%s = linalg.map { %s } ins(%s, %s : %s, %s) outs(%s : %s)", r.name, m.op("arith.muli", "arith.mulf"), a.name, b.name, t, t, to.name, m.typ(to))
	case 1:
		m.Line("%s = %s %s, %s : %s", r.name, m.op("arith.addi", "arith.addf"), a.name, b.name, t)
	default:
		m.Line("%s = linalg.%s ins(%s, %s : %s, %s) outs(%s : %s) -> %s", r.name, m.One("add", "sub", "max"), a.name, b.name, t, t, to.name, m.typ(to), m.typ(to))
	}
	m.add(r)
}

func (m *tensorMaker) product() {
	a, ok := m.pick(2, true)
	b, _ := m.pick(2, true)
	if !ok || a.shape[1] != b.shape[0] {
		return
	}
	to := m.into(closed("", a.shape[0], b.shape[1]))
	r := closed(m.Name(), a.shape[0], b.shape[1])
	m.Line("%s = linalg.matmul ins(%s, %s : %s, %s) outs(%s : %s) -> %s", r.name, a.name, b.name, m.typ(a), m.typ(b), to.name, m.typ(to), m.typ(r))
	m.add(r)
}

func (m *tensorMaker) moved() {
	a, ok := m.pick(2, true)
	if !ok {
		return
	}
	r := closed(m.Name(), a.shape[1])
	switch m.IntN(3) {
	case 0:
		r = closed(r.name, a.shape[1], a.shape[0])
		to := m.into(r)
		m.Line("%s = linalg.transpose ins(%s : %s) outs(%s : %s) permutation = [1, 0]", r.name, a.name, m.typ(a), to.name, m.typ(to))
	case 1:
		to := m.into(r)
		m.Line("%s = linalg.reduce { %s } ins(%s : %s) outs(%s : %s) dimensions = [0]", r.name, m.op("arith.addi", "arith.addf"), a.name, m.typ(a), to.name, m.typ(to))
	case 2:
		b, ok := m.pick(1, true)
		if !ok {
			return
		}
		r = closed(r.name, 2, b.shape[0])
		to := m.into(r)
		m.Line("%s = linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = [0]", r.name, b.name, m.typ(b), to.name, m.typ(to))
	}
	m.add(r)
}

func (m *tensorMaker) part() {
	a, ok := m.pick(2, false)
	if !ok {
		return
	}
	o, n, s := m.IntN(2), 1+m.IntN(2), 1
	if o == 0 && n == 2 && a.shape[0] > 2 {
		s = 1 + m.IntN(2)
	}
	n = min(n, a.shape[0]-o)
	r := closed(m.Name(), n, a.shape[1])
	at := fmt.Sprint(o)
	if m.IntN(2) == 0 {
		at = m.index(o)
	}
	m.Line("%s = tensor.extract_slice %s[%s, 0] [%d, %d] [%d, 1] : %s to %s", r.name, a.name, at, n, a.shape[1], s, m.typ(a), m.typ(r))
	if m.IntN(2) == 0 {
		b := m.alike(a)
		w := b
		w.name = m.Name()
		m.Line("%s = tensor.insert_slice %s into %s[%s, 0] [%d, %d] [1, 1] : %s into %s", w.name, r.name, b.name, at, n, a.shape[1], m.typ(r), m.typ(b))
		m.add(w)
	}
	if n >= 2 {
		m.add(r)
	}
}

func (m *tensorMaker) padded() {
	a, ok := m.pick(1, true)
	if !ok || a.shape[0] > 2 {
		return
	}
	r := closed(m.Name(), 3)
	x, i := m.constant(m.IntN(7)-3), m.Name()
	low, high := 1, 0
	if m.IntN(2) == 0 {
		low, high = 0, 1
	}
	m.Line("%s = tensor.pad %s low[%d] high[%d] {\n  ^bb0(%s: index):\n    tensor.yield %s : %s\n  } : %s to %s", r.name, a.name, low, high, i, x, m.elem, m.typ(a), m.typ(r))
	m.add(r)
}

func (m *tensorMaker) reshaped() {
	a, ok := m.pick(2, true)
	if !ok {
		return
	}
	flat := closed(m.Name(), a.shape[0]*a.shape[1])
	m.Line("%s = tensor.collapse_shape %s [[0, 1]] : %s into %s", flat.name, a.name, m.typ(a), m.typ(flat))
	at, x, set := m.index(m.IntN(flat.shape[0])), m.constant(m.IntN(9)), m.Name()
	m.Line("%s = tensor.insert %s into %s[%s] : %s", set, x, flat.name, at, m.typ(flat))
	r := closed(m.Name(), a.shape[1], a.shape[0])
	m.Line("%s = tensor.expand_shape %s [[0, 1]] output_shape [%d, %d] : %s into %s", r.name, set, r.shape[0], r.shape[1], m.typ(flat), m.typ(r))
	m.add(r)
}

func (m *tensorMaker) element() {
	a, _ := m.pick(-1, false)
	var at []string
	for _, n := range a.shape {
		at = append(at, m.index(m.IntN(n)))
	}
	x, r := m.Name(), a
	m.Line("%s = tensor.extract %s[%s] : %s", x, a.name, strings.Join(at, ", "), m.typ(a))
	b := m.alike(a)
	r.name = m.Name()
	slices.Reverse(at)
	if len(a.shape) == 2 && a.shape[0] != a.shape[1] {
		slices.Reverse(at)
	}
	m.Line("%s = tensor.insert %s into %s[%s] : %s", r.name, x, b.name, strings.Join(at, ", "), m.typ(a))
	m.add(r)
}

func (m *tensorMaker) casted() {
	a, _ := m.pick(-1, true)
	if a.name == "" {
		return
	}
	r := tensorValue{m.Name(), a.shape, make([]bool, len(a.shape))}
	r.open[m.IntN(len(r.open))] = true
	m.Line("%s = tensor.cast %s : %s to %s", r.name, a.name, m.typ(a), m.typ(r))
	m.add(r)
}

// loop carries a tensor through an scf.for or an scf.if.
func (m *tensorMaker) loop() {
	a, _ := m.pick(-1, false)
	t, r, kept := m.typ(a), a, len(m.values)
	r.name = m.Name()
	in := a
	if m.IntN(2) == 0 {
		in.name = m.Name()
		m.Line("%s = scf.for %s = %s to %s step %s iter_args(%s = %s) -> (%s) {", r.name, m.Name(), m.index(0), m.index(m.IntN(3)), m.index(1), in.name, a.name, t)
	} else {
		c := m.Name()
		m.Line("%s = arith.constant %t", c, m.IntN(2) == 0)
		m.Line("%s = scf.if %s -> (%s) {\n    scf.yield %s : %s\n  } else {", r.name, c, t, a.name, t)
	}
	m.add(in)
	m.within(func() {
		for range 1 + m.IntN(3) {
			m.step()
		}
		m.Line("scf.yield %s : %s", m.alike(a).name, t)
	})
	m.Line("}")
	m.values = append(m.values[:kept], r)
}

func (m *tensorMaker) step() {
	steps := []func(){m.elementwise, m.elementwise, m.product, m.moved, m.part, m.padded, m.reshaped, m.element, m.casted, m.generate}
	steps[m.IntN(len(steps))]()
}

// sum gives a weighted sum of a tensor.
func (m *tensorMaker) sum(v tensorValue) string {
	n := len(v.shape)
	e, z, s, r := m.Name(), m.Name(), m.Name(), m.Name()
	m.Line("%s = tensor.empty() : tensor<%s>", e, m.elem)
	m.Line("%s = linalg.fill ins(%s : %s) outs(%s : tensor<%s>) -> tensor<%s>", z, m.constant(0), m.elem, e, m.elem, m.elem)
	dims := strings.Join([]string{"d0", "d1", "d2"}[:n], ", ")
	kinds := strings.Join(slices.Repeat([]string{`"reduction"`}, n), ", ")
	x, acc := m.Name(), m.Name()
	m.Line("%s = linalg.generic {indexing_maps = [affine_map<(%s) -> (%s)>, affine_map<(%s) -> ()>], iterator_types = [%s]} ins(%s : %s) outs(%s : tensor<%s>) {\n  ^bb0(%s: %s, %s: %s):",
		s, dims, dims, dims, kinds, v.name, m.typ(v), z, m.elem, x, m.elem, acc, m.elem)
	m.within(func() {
		var index []string
		for d := range n {
			index = append(index, m.Name())
			m.Line("%s = linalg.index %d : index", index[d], d)
		}
		w, p, q := m.ofIndices(index), m.Name(), m.Name()
		m.Line("%s = %s %s, %s : %s", p, m.op("arith.muli", "arith.mulf"), x, w, m.elem)
		m.Line("%s = %s %s, %s : %s", q, m.op("arith.addi", "arith.addf"), acc, p, m.elem)
		m.Line("linalg.yield %s : %s", q, m.elem)
	})
	m.Line("} -> tensor<%s>", m.elem)
	m.Line("%s = tensor.extract %s[] : tensor<%s>", r, s, m.elem)
	return r
}

// compileFree compiles what becomes of programs whose sums are taken in any order: numbers are integers, so that it is the same.
func compileFree(t *testing.T, e engine.Engine, src string) engine.Program {
	t.Helper()
	g, err := parse(newContext(), "tensors.mlir", src, false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := built.Prepare(t.Context(), e, built.Through(t, g, "lower{to=affine reassoc=true}"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tensorProgram is the program of a seed.
func tensorProgram(seed uint64) *irtest.Program {
	m := &tensorMaker{Writer: irtest.NewWriter(81, seed), elem: []string{"i32", "f32"}[seed%2]}
	m.Indent = 1
	m.generate()
	for len(m.values) < 3 {
		m.generate()
	}
	for range 4 + m.IntN(10) {
		if m.IntN(6) == 0 {
			m.loop()
		} else {
			m.step()
		}
	}
	var results, types []string
	for i, v := range m.values {
		if i > 0 && m.IntN(2) == 0 {
			continue // what nothing else uses may be written over
		}
		results, types = append(results, m.sum(v)), append(types, m.elem)
	}
	name := fmt.Sprintf("t%d_f", seed)
	text := fmt.Sprintf("module {\nfunc.func @%s() -> (%s) {\n%s  return %s : %s\n}\n}\n", name, strings.Join(types, ", "), m.String(), strings.Join(results, ", "), strings.Join(types, ", "))
	return &irtest.Program{Seed: seed, Text: text, Entry: name, Types: types}
}

var memrefCopy = regexp.MustCompile(`memref\.copy (%\S+), (%\S+) : (.*) to (.*)`)

// bufferizedByMLIR makes programs on memory of programs on tensors; copies become loops, which need no library.
func bufferizedByMLIR(t *testing.T, src string) string {
	t.Helper()
	out, err := pipe(t, src, tool(t, "mlir-opt-19"), "-pass-pipeline=builtin.module(func.func(convert-elementwise-to-linalg),one-shot-bufferize{allow-return-allocs-from-loops=true},canonicalize)")
	if err != nil {
		t.Fatal(err)
	}
	return memrefCopy.ReplaceAllString(out, "linalg.copy ins($1 : $3) outs($2 : $4)")
}

// Random programs of tensors give what they give when MLIR bufferizes and compiles them, and when irc compiles them.
// `go test ./tests/mlir -run Tensors -programs=3000` runs 1,000.
func TestTensorsSameAsMLIR(t *testing.T) {
	c := child(t)
	e, _, err := engine.New(t.Context(), "llvm", engine.Options{CountHeap: true, Level: built.Level()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	compared, total := 0, *programs/3
	for done := 0; done < total && !t.Failed(); done += perModule {
		var batch []*irtest.Program
		var all strings.Builder
		for i := range min(perModule, total-done) {
			p := tensorProgram(*firstSeed + uint64(done+i))
			batch = append(batch, p)
			all.WriteString(strings.TrimSuffix(strings.TrimPrefix(p.Text, "module {\n"), "}\n"))
		}
		m := native(t, c, compileAlong(t, linalgToLLVM, []string{bufferizedByMLIR(t, all.String())}, nil))
		ours := compileOurs(t, e, all.String())
		free := compileFree(t, e, all.String())
		for _, p := range batch {
			n, err := compareWithMLIR(t, c, m, p, 0)
			if err == nil {
				err = compareOurs(t, ours, p, 0)
			}
			if err == nil {
				if err = compareOurs(t, free, p, 0); err != nil {
					err = fmt.Errorf("with sums in any order: %w", err)
				}
			}
			if ir.IsTrap(err) || err != nil {
				t.Errorf("seed %d: %v\n%s", p.Seed, err, p.Text)
			}
			compared += n
		}
		if h, err := engine.Heap(t.Context(), free); err != nil || h.Allocs != h.Frees {
			t.Errorf("with sums in any order irc's code took %d blocks of memory and gave %d back, %v", h.Allocs, h.Frees, err)
		}
		if h, err := engine.Heap(t.Context(), ours); err != nil || h.Allocs != h.Frees { // of small memory none may be left on the heap
			t.Errorf("irc's code took %d blocks of memory and gave %d back, %v", h.Allocs, h.Frees, err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d programs; %d values compared", total, compared)
	if compared < 3*total {
		t.Errorf("%d values of %d programs compared: the test tests little", compared, total)
	}
}
