package mlir_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// driver is a function that calls one of MLIR's suite on values which it makes of a number, and gives a
// checksum of the results and of the memory that was passed.
type driver struct {
	b    strings.Builder
	next int
}

const driverName = "drive_it"

var driverLine = regexp.MustCompile(`(?m)^define .* @` + driverName + `\(.*$`)

func (d *driver) line(format string, args ...any) { fmt.Fprintf(&d.b, format+"\n", args...) }

func (d *driver) name() string { d.next++; return fmt.Sprintf("%%d%d", d.next) }

// loops writes a nest over a shape around what body writes, with the counter of elements.
func (d *driver) loops(shape []int64, body func(ivs, flat string)) {
	var ivs []string
	flat := d.name()
	d.line("%s = arith.constant 0 : index", flat)
	for _, n := range shape {
		iv, end, x, y := d.name(), d.name(), d.name(), d.name()
		d.line("%s = arith.constant %d : index", end, n)
		d.line("scf.for %s = %%zero to %s step %%one {", iv, end)
		d.line("%s = arith.muli %s, %s : index\n%s = arith.addi %s, %s : index", x, flat, end, y, x, iv)
		ivs, flat = append(ivs, iv), y
	}
	body(strings.Join(ivs, ", "), flat)
	d.line("%s", strings.Repeat("}", len(shape)))
}

// value makes an element of argument a: a small number, so that sums are exact in any order.
func (d *driver) value(c *ir.Context, t ir.Type, a int, flat string) string {
	k, x := d.name(), d.name()
	mod := 11
	if t == ir.Index {
		mod = 3
	}
	p, q, r, s := d.name(), d.name(), d.name(), d.name()
	d.line("%s = arith.constant %d : index\n%s = arith.muli %s, %%seven : index\n%s = arith.addi %s, %s : index\n%s = arith.addi %s, %%seed : index", p, 3*a+1, q, flat, r, q, p, s, r)
	m := d.name()
	d.line("%s = arith.constant %d : index\n%s = arith.remui %s, %s : index", m, mod, k, s, m)
	name, info := text.TypeString(c, t), c.Info(t)
	switch {
	case t == ir.Index:
		return k
	case c.IsFloat(t):
		i, j := d.name(), d.name()
		d.line("%s = arith.index_cast %s : index to i64\n%s = arith.subi %s, %%three : i64\n%s = arith.sitofp %s : i64 to %s", i, k, j, i, x, j, name)
	case info.Width == 64:
		d.line("%s = arith.index_cast %s : index to i64", x, k)
	case info.Width < 64:
		i := d.name()
		d.line("%s = arith.index_cast %s : index to i64\n%s = arith.trunci %s : i64 to %s", i, k, x, i, name)
	default:
		i := d.name()
		d.line("%s = arith.index_cast %s : index to i64\n%s = arith.extui %s : i64 to %s", i, k, x, i, name)
	}
	return x
}

// add puts an element into the checksum. What is no number counts as one and the same.
func (d *driver) add(c *ir.Context, t ir.Type, v string) {
	name, info := text.TypeString(c, t), c.Info(t)
	bits := d.name()
	switch {
	case t == ir.Index:
		d.line("%s = arith.index_cast %s : index to i64", bits, v)
	case c.IsFloat(t):
		raw, nan, one := d.name(), d.name(), d.name()
		d.line("%s = arith.bitcast %s : %s to i%d", raw, v, name, info.Width)
		wide := raw
		if info.Width < 64 {
			wide = d.name()
			d.line("%s = arith.extui %s : i%d to i64", wide, raw, info.Width)
		}
		d.line("%s = arith.cmpf uno, %s, %s : %s\n%s = arith.constant 12345 : i64\n%s = arith.select %s, %s, %s : i64", nan, v, v, name, one, bits, nan, one, wide)
	case info.Width == 64:
		bits = v
	case info.Width < 64:
		d.line("%s = arith.extui %s : %s to i64", bits, v, name)
	default:
		d.line("%s = arith.trunci %s : %s to i64", bits, v, name)
	}
	old, x, y := d.name(), d.name(), d.name()
	d.line("%s = memref.load %%sum[] : memref<i64>\n%s = arith.muli %s, %%prime : i64\n%s = arith.addi %s, %s : i64\nmemref.store %s, %%sum[] : memref<i64>", old, x, old, y, x, bits, y)
}

// memory makes memory of a shape and fills it as argument a.
func (d *driver) memory(c *ir.Context, shape []int64, elem ir.Type, a int) (name, typ string) {
	name, typ = d.name(), text.TypeString(c, c.MemRef(shape, elem))
	d.line("%s = memref.alloc() : %s", name, typ)
	d.loops(shape, func(ivs, flat string) {
		d.line("memref.store %s, %s[%s] : %s", d.value(c, elem, a, flat), name, ivs, typ)
	})
	return name, typ
}

// hash adds all elements of memory.
func (d *driver) hash(c *ir.Context, shape []int64, elem ir.Type, name, typ string) {
	d.loops(shape, func(ivs, _ string) {
		v := d.name()
		d.line("%s = memref.load %s[%s] : %s", v, name, ivs, typ)
		d.add(c, elem, v)
	})
}

// open is how many elements a dimension gets whose number is not known.
const open = 5

func zeros(n int) string { return strings.TrimSuffix(strings.Repeat("%zero, ", n), ", ") }

// drive writes the driver of a function of a type; ok is false for types that it does not make.
func drive(c *ir.Context, name string, t *ir.TypeInfo) (src string, ok bool) {
	d := &driver{}
	d.line("func.func @%s(%%seed: index) -> i64 {\n%%zero = arith.constant 0 : index\n%%one = arith.constant 1 : index\n%%seven = arith.constant 7 : index", driverName)
	d.line("%%three = arith.constant 3 : i64\n%%prime = arith.constant 1000003 : i64\n%%sum = memref.alloc() : memref<i64>\n%%start = arith.constant 17 : i64\nmemref.store %%start, %%sum[] : memref<i64>")
	var args, types []string
	var after []func()
	for a, p := range t.Types[:t.NumIn] {
		x, more, ok := d.argument(c, p, a)
		if !ok {
			return "", false
		}
		args, types, after = append(args, x), append(types, text.TypeString(c, p)), append(after, more)
	}
	var results []string
	outs := t.Types[t.NumIn:]
	for range outs {
		results = append(results, d.name())
	}
	assign := strings.Join(results, ", ")
	if assign != "" {
		assign += " = "
	}
	var outTypes []string
	for _, p := range outs {
		outTypes = append(outTypes, text.TypeString(c, p))
	}
	d.line("%sfunc.call @%s(%s) : (%s) -> (%s)", assign, name, strings.Join(args, ", "), strings.Join(types, ", "), strings.Join(outTypes, ", "))
	for i, p := range outs {
		if !d.result(c, p, results[i]) {
			return "", false
		}
	}
	for _, more := range after {
		if more != nil {
			more()
		}
	}
	d.line("%%out = memref.load %%sum[] : memref<i64>\nreturn %%out : i64\n}")
	return d.b.String(), len(outs) > 0 || len(args) > 0
}

// argument makes argument a; after, if there is any, adds its memory to the checksum.
func (d *driver) argument(c *ir.Context, p ir.Type, a int) (name string, after func(), ok bool) {
	info := c.Info(p)
	switch {
	case p == ir.Index || info.Kind == ir.KindInteger && info.Sign == ir.Signless || computable(c, p):
		return d.value(c, p, a, "%zero"), nil, true
	case info.Kind == ir.KindVector && info.Scalable == nil && elementary(c, info.Elem):
		wide := whole(c, info.Elem)
		m, mt := d.memory(c, info.Shape, wide, a)
		v, pad, vt := d.name(), d.value(c, wide, a, "%zero"), text.TypeString(c, c.Vector(info.Shape, wide))
		d.line("%s = vector.transfer_read %s[%s], %s {in_bounds = [%s]} : %s, %s", v, m, zeros(len(info.Shape)), pad, trues(len(info.Shape)), mt, vt)
		if wide == info.Elem {
			return v, nil, true
		}
		narrow := d.name()
		d.line("%s = arith.trunci %s : %s to %s", narrow, v, vt, text.TypeString(c, p))
		return narrow, nil, true
	case info.Kind == ir.KindMemRef && !info.Unranked && info.Layout == 0 && info.Space == 0:
		elem, shape := info.Elem, slices.Clone(info.Shape)
		if !elementary(c, elem) || whole(c, elem) != elem {
			return "", nil, false
		}
		for i, n := range shape {
			if n == ir.Dynamic {
				shape[i] = open
			}
		}
		m, mt := d.memory(c, shape, elem, a)
		name = m
		if t := text.TypeString(c, p); t != mt {
			name = d.name()
			d.line("%s = memref.cast %s : %s to %s", name, m, mt, t)
		}
		return name, func() { d.hash(c, shape, elem, m, mt) }, true
	}
	return "", nil, false
}

func trues(n int) string { return strings.TrimSuffix(strings.Repeat("true, ", n), ", ") }

// result adds a result to the checksum.
func (d *driver) result(c *ir.Context, p ir.Type, v string) bool {
	info := c.Info(p)
	switch {
	case elementary(c, p):
		d.add(c, p, v)
		return true
	case info.Kind == ir.KindVector && info.Scalable == nil && elementary(c, info.Elem):
		wide := whole(c, info.Elem)
		m, mt := d.memory(c, info.Shape, wide, 0)
		vt := text.TypeString(c, c.Vector(info.Shape, wide))
		if wide != info.Elem {
			narrow := v
			v = d.name()
			d.line("%s = arith.extui %s : %s to %s", v, narrow, text.TypeString(c, p), vt)
		}
		d.line("vector.transfer_write %s, %s[%s] {in_bounds = [%s]} : %s, %s", v, m, zeros(len(info.Shape)), trues(len(info.Shape)), vt, mt)
		d.hash(c, info.Shape, wide, m, mt)
		return true
	}
	return false
}

// whole is a type of whole bytes as wide as an integer: to MLIR, vectors of others lie in memory otherwise than
// their elements do.
func whole(c *ir.Context, t ir.Type) ir.Type {
	if info := c.Info(t); t != ir.Index && info.Kind == ir.KindInteger && info.Width < 64 && info.Width%8 != 0 {
		return ir.I64
	}
	return t
}

func computable(c *ir.Context, t ir.Type) bool { return t == ir.F64 || t == ir.F32 || t == ir.F16 }

func elementary(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return t == ir.Index || info.Kind == ir.KindInteger && info.Sign == ir.Signless || computable(c, t)
}

// longest is of how many bytes of LLVM IR a function may be to be compiled: MLIR unrolls what it lowers.
const longest = 200_000

// suiteFaults are functions of which MLIR makes something else than its documentation says.
var suiteFaults = map[string]string{
	"vector_multi_reduction_single_parallel":        "a reduction of no dimensions is folded to its source, and the accumulator is lost (MLIR 19)",
	"masked_vector_multi_reduction_single_parallel": "the same under a mask",
}

// suiteSeeds are the numbers of which drivers make their values.
var suiteSeeds = []uint64{0, 1, 5}

// What functions of MLIR's suite give is what they give when MLIR lowers and compiles them.
func TestSuiteRun(t *testing.T) {
	opt, translate := tool(t, "mlir-opt-19"), tool(t, "mlir-translate-19")
	all := suiteChunks(t, opt)
	c := child(t)
	count := map[string]int{}
	for _, chunk := range all {
		for _, fn := range drivers(chunk) {
			count["functions"]++
			count[runSuite(t, c, opt, translate, chunk, fn)]++
		}
	}
	t.Logf("%v", count)
	if count["the same"] < 200 {
		t.Errorf("only %d functions of MLIR's suite are compared with what MLIR makes of them", count["the same"])
	}
}

// drivers are programs with a driver for each function of a chunk that can have one.
func drivers(c chunk) (out []string) {
	ctx := newContext()
	g, err := parse(ctx, c.file, c.text, true)
	if err != nil {
		return nil
	}
	for _, module := range append([]*ir.Graph{g}, children(g)...) {
		for _, v := range ir.ScheduleOf(module).Body(ir.Root) {
			if module.Def(v) != funcs.Func || len(module.Children(v)) == 0 {
				continue
			}
			name := funcs.NameOf(module, v)
			if suiteFaults[name] != "" {
				continue
			}
			if src, ok := drive(ctx, name, funcs.TypeOf(ctx, module.AttrsOf(v))); ok {
				out = append(out, src)
			}
		}
	}
	return out
}

func children(g *ir.Graph) (out []*ir.Graph) {
	for _, v := range ir.ScheduleOf(g).Body(ir.Root) {
		if g.Def(v).Name == "builtin.module" {
			out = append(out, g.Children(v)...)
		}
	}
	return out
}

// runSuite runs a driver on the interpreter and as MLIR compiles it, and says what came of it.
func runSuite(t *testing.T, c *jit.Child, opt, translate string, in chunk, driver string) string {
	t.Helper()
	src := in.text + "\n" + driver
	var want []uint64
	g, err := parse(newContext(), in.file, src, false)
	if err != nil {
		return "no driver"
	}
	m, err := interp.New(g, interp.Options{Fuel: 1_000_000})
	if err != nil {
		return "not run"
	}
	for _, s := range suiteSeeds {
		r, err := m.Call(driverName, []ir.Val{{Bits: s}})
		switch {
		case ir.IsTrap(err):
			return "stops"
		case err != nil:
			return "not run"
		case r[0].Ref != nil:
			return "poison"
		}
		want = append(want, r[0].Bits)
	}
	lowered, err := pipe(t, src, opt, "-pass-pipeline="+vectorsToLLVM)
	if err != nil {
		return "not lowered by MLIR"
	}
	ll, err := pipe(t, lowered, translate, "-mlir-to-llvmir")
	if err != nil {
		return "not translated by MLIR"
	}
	if len(ll) > longest {
		return "too long when lowered by MLIR"
	}
	compiled, err := tryNative(t, c, ll+thunks(driverLine.FindString(ll))+narrowRuntime)
	if err != nil {
		return "not compiled by LLVM"
	}
	defer compiled.Close()
	for i, s := range suiteSeeds {
		r, err := compiled.Call(t.Context(), "thunk."+driverName, []uint64{s}, 1)
		if err != nil {
			t.Errorf("%s chunk %d: compiled by MLIR: %v\n%s", in.file, in.n, err, driver)
			return "fails when compiled by MLIR"
		}
		if r.Results[0] != want[i] {
			t.Errorf("%s chunk %d, seed %d: the checksum is %x, MLIR's is %x\n%s", in.file, in.n, s, want[i], r.Results[0], driver)
			return "other than MLIR's"
		}
	}
	return "the same"
}
