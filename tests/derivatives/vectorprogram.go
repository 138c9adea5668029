package derivatives

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The memory of programs of vectors: a matrix.
const (
	rows    = 4
	columns = 5
)

// A vectorValue is a vector of a program, or a number, which has no shape.
type vectorValue struct {
	name  string
	shape []int64
}

func (v vectorValue) typ() string { return vectorType(v.shape) }

func vectorType(shape []int64) string {
	if len(shape) == 0 {
		return "f64"
	}
	return "vector<" + strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", "x") + "xf64>"
}

// vectors writes a program of vectors: a function @f of a number and two matrices, which gives a number.
type vectors struct {
	*rand.Rand
	b      strings.Builder
	next   int
	values []vectorValue
}

// randomVectors writes one.
func randomVectors(seed uint64) string {
	p := &vectors{Rand: rand.New(rand.NewPCG(seed, 31))}
	p.line("func.func @f(%%x: f64, %%m: memref<%dx%dxf64>, %%w: memref<%dx%dxf64> {llvm.noalias}) -> f64 {", rows, columns, rows, columns)
	for i := range columns + 1 {
		p.line("  %%c%d = arith.constant %d : index", i, i)
	}
	p.values = []vectorValue{{"%x", nil}}
	p.load()
	for range 3 + p.IntN(6) {
		vectorOps[p.IntN(len(vectorOps))](p)
	}
	sum := "%x"
	for _, v := range p.values[1:] {
		part := p.unary("math.sin", v)
		s := p.flat(part)
		r := p.define(nil, "vector.reduction <add>, %s : %s into f64", s.name, s.typ())
		sum = p.define(nil, "arith.addf %s, %s : f64", sum, r.name).name
	}
	p.line("  return %s : f64", sum)
	p.line("}")
	return p.b.String()
}

var vectorOps = []func(p *vectors){
	(*vectors).load, (*vectors).load, (*vectors).store, (*vectors).store, (*vectors).masked, (*vectors).masked, (*vectors).gathered, (*vectors).gathered,
	(*vectors).transferRead, (*vectors).transferRead, (*vectors).transferWrite,
	(*vectors).arithmetic, (*vectors).arithmetic, (*vectors).broadcast, (*vectors).elements, (*vectors).shapes, (*vectors).shuffled, (*vectors).extract,
	(*vectors).insert, (*vectors).slices, (*vectors).interleave, (*vectors).fma, (*vectors).reduction, (*vectors).reduction,
	(*vectors).multi, (*vectors).multi, (*vectors).contract, (*vectors).outer, (*vectors).matrices, (*vectors).chosen,
}

func (p *vectors) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// define writes an op that gives a value, which does not take part yet.
func (p *vectors) define(shape []int64, format string, args ...any) vectorValue {
	p.next++
	v := vectorValue{fmt.Sprintf("%%v%d", p.next), shape}
	p.line("  %s = "+format, append([]any{v.name}, args...)...)
	return v
}

// add writes an op whose result others take.
func (p *vectors) add(shape []int64, format string, args ...any) {
	p.values = append(p.values, p.define(shape, format, args...))
}

func (p *vectors) unary(op string, v vectorValue) vectorValue {
	return p.define(v.shape, "%s %s : %s", op, v.name, v.typ())
}

// pick is a value of a rank, made if there is none.
func (p *vectors) pick(rank int) vectorValue {
	var fit []vectorValue
	for _, v := range p.values {
		if len(v.shape) == rank {
			fit = append(fit, v)
		}
	}
	if len(fit) > 0 {
		return fit[p.IntN(len(fit))]
	}
	return p.like([]int64{2, 3, 2}[:rank])
}

// like is a value of a shape, made of others if there is none.
func (p *vectors) like(shape []int64) vectorValue {
	for _, v := range p.values {
		if slices.Equal(v.shape, shape) && p.IntN(2) == 0 {
			return v
		}
	}
	if len(shape) == 0 {
		return p.values[0]
	}
	n := int64(1)
	for _, k := range shape {
		n *= k
	}
	from := p.define([]int64{5}, "vector.load %%m[%s, %%c0] : memref<%dx%dxf64>, vector<5xf64>", p.at(rows), rows, columns)
	lanes := make([]int, n)
	for i := range lanes {
		lanes[i] = p.IntN(10)
	}
	s := p.define([]int64{n}, "vector.shuffle %s, %s %s : vector<5xf64>, vector<5xf64>", from.name, from.name, strings.ReplaceAll(fmt.Sprint(lanes), " ", ", "))
	return p.shaped(s, shape)
}

func (p *vectors) shaped(v vectorValue, shape []int64) vectorValue {
	if slices.Equal(v.shape, shape) {
		return v
	}
	return p.define(shape, "vector.shape_cast %s : %s to %s", v.name, v.typ(), vectorType(shape))
}

func size(shape []int64) int64 {
	n := int64(1)
	for _, k := range shape {
		n *= k
	}
	return n
}

func (p *vectors) flat(v vectorValue) vectorValue {
	if len(v.shape) == 0 {
		return p.define([]int64{1}, "vector.broadcast %s : f64 to vector<1xf64>", v.name)
	}
	return p.shaped(v, []int64{size(v.shape)})
}

// at is an index below a number.
func (p *vectors) at(n int) string { return fmt.Sprintf("%%c%d", p.IntN(n)) }

// memory is a matrix, and the type that ops write.
func (p *vectors) memory() (name, typ string) {
	return []string{"%m", "%w"}[p.IntN(2)], fmt.Sprintf("memref<%dx%dxf64>", rows, columns)
}

func (p *vectors) load() {
	m, t := p.memory()
	shape := []int64{2, 3}[p.IntN(2):]
	p.add(shape, "vector.load %s[%s, %s] : %s, %s", m, p.at(3), p.at(3), t, vectorType(shape))
}

// written is a value that memory gets: not too large.
func (p *vectors) written(shape []int64) vectorValue { return p.unary("math.sin", p.like(shape)) }

func (p *vectors) store() {
	m, t := p.memory()
	v := p.written([]int64{2, 3}[p.IntN(2):])
	p.line("  vector.store %s, %s[%s, %s] : %s, %s", v.name, m, p.at(3), p.at(3), t, v.typ())
}

// mask is one of so many lanes.
func (p *vectors) mask(n int) string {
	p.next++
	name := fmt.Sprintf("%%k%d", p.next)
	switch p.IntN(3) {
	case 0:
		p.line("  %s = vector.constant_mask [%d] : vector<%dxi1>", name, p.IntN(n+1), n)
	case 1:
		p.line("  %s = vector.create_mask %s : vector<%dxi1>", name, p.at(n+1), n)
	default:
		bits := make([]bool, n)
		for i := range bits {
			bits[i] = p.IntN(2) == 0
		}
		p.line("  %s = arith.constant dense<%s> : vector<%dxi1>", name, strings.ReplaceAll(fmt.Sprint(bits), " ", ", "), n)
	}
	return name
}

func (p *vectors) masked() {
	m, t := p.memory()
	k, v, at := p.mask(3), p.written([]int64{3}), fmt.Sprintf("%s[%s, %s]", m, p.at(rows), p.at(3))
	switch op := []string{"maskedload", "expandload", "maskedstore", "compressstore"}[p.IntN(4)]; op {
	case "maskedload", "expandload":
		p.add(v.shape, "vector.%s %s, %s, %s : %s, vector<3xi1>, %s into %s", op, at, k, v.name, t, v.typ(), v.typ())
	default:
		p.line("  vector.%s %s, %s, %s : %s, vector<3xi1>, %s", op, at, k, v.name, t, v.typ())
	}
}

func (p *vectors) gathered() {
	m, t := p.memory()
	k, v, at := p.mask(3), p.written([]int64{3}), fmt.Sprintf("%s[%s, %s]", m, p.at(rows), p.at(2))
	p.next++
	i := fmt.Sprintf("%%i%d", p.next)
	p.line("  %s = arith.constant dense<[%d, %d, %d]> : vector<3xi32>", i, p.IntN(4), p.IntN(4), p.IntN(4))
	if p.IntN(2) == 0 {
		p.add(v.shape, "vector.gather %s [%s], %s, %s : %s, vector<3xi32>, vector<3xi1>, %s into %s", at, i, k, v.name, t, v.typ(), v.typ())
		return
	}
	p.line("  vector.scatter %s [%s], %s, %s : %s, vector<3xi32>, vector<3xi1>, %s", at, i, k, v.name, t, v.typ())
}

// transfers are the maps of transfers, with the shapes of vectors and masks.
var transfers = []struct {
	of    string
	shape []int64
	mask  int // lanes, of one dimension
	write bool
}{
	{"(d0, d1) -> (d1)", []int64{3}, 3, true}, {"(d0, d1) -> (d0)", []int64{3}, 3, true}, {"(d0, d1) -> (d1, d0)", []int64{2, 3}, 0, true},
	{"(d0, d1) -> (d0, d1)", []int64{3, 2}, 0, true}, {"(d0, d1) -> (0, d1)", []int64{2, 3}, 3, false}, {"(d0, d1) -> (d0, 0)", []int64{3, 2}, 3, false},
}

func (p *vectors) transferRead() {
	m, t := p.memory()
	x := transfers[p.IntN(len(transfers))]
	mask, of := "", ""
	if x.mask > 0 && p.IntN(2) == 0 {
		mask = ", " + p.mask(x.mask)
	}
	of = fmt.Sprintf(" {in_bounds = [%s], permutation_map = affine_map<%s>}", p.bounds(x.of), x.of)
	padding := "%x"
	if p.IntN(2) == 0 {
		padding = p.define(nil, "arith.constant 0.5 : f64").name
	}
	p.add(x.shape, "vector.transfer_read %s[%s, %s], %s%s%s : %s, %s", m, p.at(rows), p.at(columns), padding, mask, of, t, vectorType(x.shape))
}

// bounds says of no dimension that it is in bounds, but of those that are repeated.
func (p *vectors) bounds(of string) string {
	var out []string
	for _, d := range strings.Split(of[strings.Index(of, ">")+3:len(of)-1], ", ") {
		out = append(out, fmt.Sprint(d == "0"))
	}
	return strings.Join(out, ", ")
}

func (p *vectors) transferWrite() {
	m, t := p.memory()
	x := transfers[p.IntN(4)]
	mask := ""
	if x.mask > 0 && p.IntN(2) == 0 {
		mask = ", " + p.mask(x.mask)
	}
	v := p.written(x.shape)
	p.line("  vector.transfer_write %s, %s[%s, %s]%s {in_bounds = [%s], permutation_map = affine_map<%s>} : %s, %s", v.name, m, p.at(rows), p.at(columns), mask, p.bounds(x.of), x.of, v.typ(), t)
}

func (p *vectors) arithmetic() {
	x := p.pick(1 + p.IntN(2))
	y := p.like(x.shape)
	switch p.IntN(5) {
	case 0:
		p.add(x.shape, "math.tanh %s : %s", x.name, x.typ())
	case 1:
		p.add(x.shape, "arith.maximumf %s, %s : %s", x.name, p.unary("math.cos", y).name, x.typ())
	case 2:
		p.add(x.shape, "math.exp %s : %s", p.unary("math.sin", x).name, x.typ())
	default:
		p.add(x.shape, "arith.%s %s, %s : %s", []string{"addf", "subf", "mulf"}[p.IntN(3)], p.unary("math.sin", x).name, y.name, x.typ())
	}
}

// chosen picks lanes, or one of two vectors.
func (p *vectors) chosen() {
	x := p.pick(1)
	y := p.like(x.shape)
	n := x.shape[0]
	c := p.define(x.shape, "arith.cmpf olt, %s, %s : %s", x.name, p.unary("math.cos", y).name, x.typ())
	p.add(x.shape, "arith.select %s, %s, %s : vector<%dxi1>, %s", c.name, p.unary("math.sin", x).name, y.name, n, x.typ())
}

func (p *vectors) broadcast() {
	switch p.IntN(4) {
	case 0:
		p.add([]int64{2, 3}, "vector.broadcast %s : f64 to vector<2x3xf64>", p.pick(0).name)
	case 1:
		p.add([]int64{4}, "vector.splat %s : vector<4xf64>", p.pick(0).name)
	case 2:
		v := p.pick(1)
		p.add([]int64{2, v.shape[0]}, "vector.broadcast %s : %s to %s", v.name, v.typ(), vectorType([]int64{2, v.shape[0]}))
	default:
		v := p.like([]int64{2, 1})
		p.add([]int64{2, 2, 3}, "vector.broadcast %s : vector<2x1xf64> to vector<2x2x3xf64>", v.name)
	}
}

func (p *vectors) elements() {
	x, y := p.pick(0), p.pick(0)
	p.add([]int64{3}, "vector.from_elements %s, %s, %s : vector<3xf64>", x.name, y.name, x.name)
}

func (p *vectors) shapes() {
	v := p.pick(2)
	if p.IntN(2) == 0 {
		p.add([]int64{v.shape[0] * v.shape[1]}, "vector.shape_cast %s : %s to %s", v.name, v.typ(), vectorType([]int64{v.shape[0] * v.shape[1]}))
		return
	}
	to := []int64{v.shape[1], v.shape[0]}
	t := p.define(to, "vector.transpose %s, [1, 0] : %s to %s", v.name, v.typ(), vectorType(to))
	p.values = append(p.values, p.unary("math.cos", t))
}

func (p *vectors) shuffled() {
	v := p.pick(1 + p.IntN(2))
	w := p.like(v.shape)
	n := 1 + p.IntN(5)
	lanes := make([]int64, n)
	for i := range lanes {
		lanes[i] = p.Int64N(2 * v.shape[0])
	}
	shape := slices.Clone(v.shape)
	shape[0] = int64(n)
	p.add(shape, "vector.shuffle %s, %s %s : %s, %s", v.name, w.name, strings.ReplaceAll(fmt.Sprint(lanes), " ", ", "), v.typ(), w.typ())
}

func (p *vectors) extract() {
	v, w := p.pick(2), p.pick(1)
	switch p.IntN(4) {
	case 0:
		p.add(v.shape[1:], "vector.extract %s[%d] : %s from %s", v.name, p.Int64N(v.shape[0]), vectorType(v.shape[1:]), v.typ())
	case 1:
		p.add(nil, "vector.extract %s[%s, %d] : f64 from %s", v.name, p.at(int(v.shape[0])), p.Int64N(v.shape[1]), v.typ())
	case 2:
		p.add(nil, "vector.extractelement %s[%s : index] : %s", w.name, p.index(w), w.typ())
	default:
		p.add(nil, "vector.extract %s[%s] : f64 from %s", w.name, p.index(w), w.typ())
	}
}

// index is a place in a vector of one dimension.
func (p *vectors) index(v vectorValue) string { return p.at(min(int(v.shape[0]), columns)) }

func (p *vectors) insert() {
	v, w, x := p.pick(2), p.pick(1), p.pick(0)
	switch p.IntN(3) {
	case 0:
		part := p.like(v.shape[1:])
		p.add(v.shape, "vector.insert %s, %s [%d] : %s into %s", part.name, v.name, p.Int64N(v.shape[0]), part.typ(), v.typ())
	case 1:
		p.add(w.shape, "vector.insertelement %s, %s[%s : index] : %s", x.name, w.name, p.index(w), w.typ())
	default:
		p.add(w.shape, "vector.insert %s, %s [%s] : f64 into %s", x.name, w.name, p.index(w), w.typ())
	}
}

func (p *vectors) slices() {
	v := p.like([]int64{4, 3})
	if p.IntN(2) == 0 {
		p.add([]int64{2, 2}, "vector.extract_strided_slice %s {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xf64> to vector<2x2xf64>", v.name)
		return
	}
	w := p.like([]int64{2})
	p.add(v.shape, "vector.insert_strided_slice %s, %s {offsets = [2, 1], strides = [1]} : vector<2xf64> into vector<4x3xf64>", w.name, v.name)
}

func (p *vectors) interleave() {
	v := p.pick(1)
	w := p.like(v.shape)
	if v.shape[0] == 6 || p.IntN(2) == 0 {
		v = p.like([]int64{6})
		p.add(v.shape, "vector.flat_transpose %s {columns = 3 : i32, rows = 2 : i32} : vector<6xf64> -> vector<6xf64>", v.name)
		return
	}
	to := []int64{2 * v.shape[0]}
	p.add(to, "vector.interleave %s, %s : %s -> %s", v.name, w.name, v.typ(), vectorType(to))
}

func (p *vectors) fma() {
	v := p.pick(1 + p.IntN(2))
	p.add(v.shape, "vector.fma %s, %s, %s : %s", p.unary("math.sin", v).name, p.like(v.shape).name, p.like(v.shape).name, v.typ())
}

// kind is how lanes are combined.
func (p *vectors) kind() string {
	return []string{"add", "add", "mul", "maximumf", "minnumf"}[p.IntN(5)]
}

func (p *vectors) reduction() {
	v := p.unary("math.sin", p.pick(1))
	if p.IntN(2) == 0 {
		p.add(nil, "vector.reduction <%s>, %s : %s into f64", p.kind(), v.name, v.typ())
		return
	}
	p.add(nil, "vector.reduction <%s>, %s, %s : %s into f64", p.kind(), v.name, p.pick(0).name, v.typ())
}

func (p *vectors) multi() {
	v := p.unary("math.sin", p.pick(2+p.IntN(2)))
	d := p.IntN(len(v.shape))
	shape := slices.Delete(slices.Clone(v.shape), d, d+1)
	if p.IntN(4) == 0 && len(v.shape) == 2 {
		p.add(nil, "vector.multi_reduction <%s>, %s, %s [0, 1] : %s to f64", p.kind(), v.name, p.pick(0).name, v.typ())
		return
	}
	p.add(shape, "vector.multi_reduction <%s>, %s, %s [%d] : %s to %s", p.kind(), v.name, p.like(shape).name, d, v.typ(), vectorType(shape))
}

func (p *vectors) contract() {
	v := p.unary("math.sin", p.pick(2))
	n, k := v.shape[0], v.shape[1]
	w, acc := p.like([]int64{k, 2}), p.like([]int64{n, 2})
	if p.IntN(3) == 0 { // what only one of them has is summed, too
		w, x := p.like([]int64{n}), p.pick(0)
		p.add(nil, "vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>], "+
			"iterator_types = [\"reduction\", \"reduction\"], kind = #vector.kind<add>} %s, %s, %s : %s, %s into f64", v.name, w.name, x.name, v.typ(), w.typ())
		return
	}
	p.add(acc.shape, "vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], "+
		"iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<%s>} %s, %s, %s : %s, %s into %s", p.kind(), v.name, w.name, acc.name, v.typ(), w.typ(), acc.typ())
}

func (p *vectors) outer() {
	v, w := p.unary("math.sin", p.pick(1)), p.pick(1)
	shape := []int64{v.shape[0], w.shape[0]}
	switch p.IntN(3) {
	case 0:
		p.add(shape, "vector.outerproduct %s, %s : %s, %s", v.name, w.name, v.typ(), w.typ())
	case 1:
		p.add(shape, "vector.outerproduct %s, %s, %s {kind = #vector.kind<%s>} : %s, %s", v.name, w.name, p.like(shape).name, p.kind(), v.typ(), w.typ())
	default:
		p.add(v.shape, "vector.outerproduct %s, %s, %s {kind = #vector.kind<%s>} : %s, f64", v.name, p.pick(0).name, p.like(v.shape).name, p.kind(), v.typ())
	}
}

func (p *vectors) matrices() {
	v, w := p.like([]int64{6}), p.like([]int64{12})
	p.add([]int64{8}, "vector.matrix_multiply %s, %s {lhs_columns = 3 : i32, lhs_rows = 2 : i32, rhs_columns = 4 : i32} : (vector<6xf64>, vector<12xf64>) -> vector<8xf64>", v.name, w.name)
}
