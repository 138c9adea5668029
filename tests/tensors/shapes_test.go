package tensors

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/built"
)

// shapes are programs that give %r of tensors whose extents are hostile. In their text N and M are extents, N+1 one that
// follows; <n> and <m> are operands for those that the types leave open, <nn> two.
var shapes = []struct{ body, result string }{
	{`%r = ten.einsum "ij,ik->jk" %a, %b : tensor<Nx2xf64>, tensor<Mx2xf64> -> tensor<2x2xf64>`, "2x2xf64"},
	{`%r = ten.einsum "i,j->ij" %v, %w : tensor<Nxf64>, tensor<Mxf64> -> tensor<NxMxf64>`, "NxMxf64"},
	{"%r = ten.map (%p = %a : tensor<Nx2xf64>, %q = %b : tensor<Mx2xf64>) -> tensor<Nx2xf64> {\n%0 = arith.subf %p, %q : f64\nten.yield %0 : f64\n}", "Nx2xf64"},
	{`%r = ten.reduce max %a along [0] : tensor<Nx2xf64>`, "2xf64"},
	{`%r = ten.transpose %a [1, 0] : tensor<Nx2xf64>`, "2xNxf64"},
	{`%r = ten.reshape %a<m> : tensor<Nx2xf64> -> tensor<2xMxf64>`, "2xMxf64"},
	{`%r = ten.fill %x<nn> : tensor<NxNxf64>`, "NxNxf64"},
	{`%r = ten.iota 0<nn> : tensor<NxNxi64>`, "NxNxi64"},
	{"%d = ten.dim %a, 0 : tensor<Nx2xf64>\n%r = ten.iota 0[%d] : tensor<?xi64>", "?xi64"},
	{"%e = ten.extract %v[%c0] : tensor<Nxf64>\n%r = ten.fill %e : tensor<2xf64>", "2xf64"},
	{"%e = ten.extract %v[%m] : tensor<Nxf64>\n%r = ten.fill %e : tensor<2xf64>", "2xf64"},
	{"%o = memref.alloc<an> : memref<Nxf64>\nten.write %w to %o : tensor<Mxf64>, memref<Nxf64>\n%r = ten.pack %o : memref<Nxf64>", "Nxf64"},
	{"%o = ten.unpack %a : tensor<Nx2xf64>\n%r = ten.pack %o : memref<Nx2xf64>", "Nx2xf64"},
	{`%r = ten.argmax %a along 0 : tensor<Nx2xf64>`, "2xi64"},
	{`%r = ten.softmax %a along 0 : tensor<Nx2xf64>`, "Nx2xf64"},
	{`%r = ten.logsumexp %a along 0 : tensor<Nx2xf64>`, "2xf64"},
	{"%t = ten.fill %x<n> : tensor<2xNxf64>\n%r = ten.layer_norm %t scale %v bias %w epsilon 1.0e-5 : f64 : tensor<2xNxf64>, tensor<Nxf64>, tensor<Mxf64>", "2xNxf64"},
	{`%r = ten.slice %a[%c0, %c0] by [1, 1]<xm> : tensor<Nx2xf64> -> tensor<Mx2xf64>`, "Mx2xf64"},
	{`%r = ten.slice %a[%m, %c0] by [1099511627776, 1]<xm> : tensor<Nx2xf64> -> tensor<Mx2xf64>`, "Mx2xf64"},
	{`%r = ten.pad %a with %x low [1, 0] high [0, 1] : tensor<Nx2xf64>`, "N+1x3xf64"},
	{`%r = ten.extend edge %a low [1, 0] high [0, 1] : tensor<Nx2xf64>`, "N+1x3xf64"},
	{`%r = ten.extend wrap %a low [1, 0] high [0, 1] : tensor<Nx2xf64>`, "N+1x3xf64"},
	{`%r = ten.concat %a, %b along 1 : tensor<Nx2xf64>, tensor<Mx2xf64>`, "Nx4xf64"},
	{"%t = ten.fill %x<n> : tensor<1x2xNxf64>\n%k = ten.fill %x : tensor<3x2x2xf64>\n%r = ten.conv %t by %k low [1] high [1] strides [1] dilations [1] groups 1 : tensor<1x2xNxf64>, tensor<3x2x2xf64> -> tensor<1x3xN+1xf64>", "1x3xN+1xf64"},
	{"%t = ten.fill %x<n> : tensor<Nx2x4xf64>\n%k = ten.fill %x : tensor<3x2x2xf64>\n%r = ten.conv %t by %k low [0] high [0] strides [1] dilations [1] groups 1 : tensor<Nx2x4xf64>, tensor<3x2x2xf64> -> tensor<Nx3x3xf64>", "Nx3x3xf64"},
	{"%t = ten.fill %x<n> : tensor<1x2xNxf64>\n%r = ten.pool max %t window [2] low [1] high [1] strides [1] dilations [1] : tensor<1x2xNxf64> -> tensor<1x2xN+1xf64>", "1x2xN+1xf64"},
	{`%r = ten.gather %a by %i along 0 : tensor<Nx2xf64>, tensor<Mxi64>`, "Mx2xf64"},
	{`%r = ten.gather_elements %v by %i along 0 : tensor<Nxf64>, tensor<Mxi64>`, "Mxf64"},
	{`%r = ten.scatter add %b to %a by %i along 0 : tensor<Mx2xf64>, tensor<Nx2xf64>, tensor<Mxi64>`, "Nx2xf64"},
	{`%r = ten.scatter set %a to %b by %i along 0 : tensor<Nx2xf64>, tensor<Mx2xf64>, tensor<Mxi64>`, "Mx2xf64"},
	{`%r = ten.scatter_elements mul %v to %w by %i along 0 : tensor<Nxf64>, tensor<Mxf64>, tensor<Mxi64>`, "Mxf64"},
	{`%r = ten.relu %a above 1.0 : f64 : tensor<Nx2xf64>`, "Nx2xf64"},
	{`%r = ten.gelu exact %a : tensor<Nx2xf64>`, "Nx2xf64"},
}

// made makes the operands of shapes.
const made = `%c0 = arith.constant 0 : index
%z = arith.constant 0 : i64
%a = ten.fill %x<n> : tensor<Nx2xf64>
%b = ten.fill %x<m> : tensor<Mx2xf64>
%v = ten.fill %x<n> : tensor<Nxf64>
%w = ten.fill %x<m> : tensor<Mxf64>
%i = ten.fill %z<m> : tensor<Mxi64>
`

var extent = regexp.MustCompile(`[NM](\+1)?x`)

// shaped is function @fK of a row: its extents are n, and their types say so unless it is open. It gives the tensor, or an element of one
// that is too large.
func shaped(k int, n int64, open bool) string {
	row := shapes[k]
	operands := strings.NewReplacer("<n>", "", "<m>", "", "<nn>", "", "<an>", "()", "<xm>", "")
	if open {
		operands = strings.NewReplacer("<n>", "[%n]", "<m>", "[%m]", "<nn>", "[%n, %n]", "<an>", "(%n)", "<xm>", " extents[%m]")
	}
	fill := func(s string) string {
		s = extent.ReplaceAllStringFunc(s, func(m string) string {
			if open {
				return "?x"
			}
			if strings.Contains(m, "+") {
				return strconv.FormatInt(n+1, 10) + "x"
			}
			return strconv.FormatInt(n, 10) + "x"
		})
		return operands.Replace(s)
	}
	typ := "tensor<" + fill(row.result) + ">"
	give, gives := "", typ
	name := "%r"
	if n > 1000 {
		elem := typ[strings.LastIndex(typ, "x")+1 : len(typ)-1]
		at := strings.TrimSuffix(strings.Repeat("%c0, ", strings.Count(row.result, "x")), ", ")
		give, gives, name = fmt.Sprintf("%%last = ten.extract %%r[%s] : %s\n", at, typ), elem, "%last"
	}
	return fmt.Sprintf("func.func @f%d(%%x: f64, %%n: index, %%m: index) -> %s {\n%s%s\n%sreturn %s : %s\n}\n", k, gives, fill(made), fill(row.body), give, name, gives)
}

// Each op of the dialect, a new one too, ends with an answer or a diagnostic for extents of 0, 1 and 2^40, known or open, for open ones
// that differ or are negative: the same on the interpreter, as loops, and as native code.
func TestHostileShapes(t *testing.T) {
	for _, op := range tensor.Dialect.Ops {
		found := false
		for _, x := range shapes {
			found = found || regexp.MustCompile(regexp.QuoteMeta(op.Name)+`\b[^_]`).MatchString(x.body)
		}
		if !found {
			t.Errorf("there is no hostile shape of %s", op.Name)
		}
	}
	const huge = 1 << 40
	natively := started(t, engine.LLVM)
	answers := 0
	for _, n := range []int64{0, 1, 3, huge} {
		s := &shapeRun{t: t, native: natively}
		for k := range shapes {
			s.add(k, n, false)
		}
		s.run([2]int64{n, n})
		answers += s.answers
	}
	small, large := &shapeRun{t: t, native: natively}, &shapeRun{t: t, native: natively}
	for k := range shapes {
		small.add(k, 3, true)
		large.add(k, huge, true)
	}
	for _, e := range [][2]int64{{0, 0}, {1, 1}, {3, 3}, {2, 3}, {3, 2}, {0, 1}, {1, 0}, {1, 3}, {3, 1}, {-1, 2}, {2, -1}, {-1, -1}} {
		small.run(e)
	}
	for _, e := range [][2]int64{{huge, huge}, {huge, 1}, {1, huge}, {huge, -huge}, {1 << 62, 1 << 62}} {
		large.run(e)
	}
	if answers += small.answers + large.answers; answers < 400 {
		t.Errorf("%d answers", answers)
	}
}

// budget is what a program of a hostile shape may take.
const (
	budget      = 5 * time.Second
	budgetBytes = 64 << 20
)

// A shapeRun is functions that are compiled together.
type shapeRun struct {
	t       *testing.T
	native  engine.Engine
	text    string
	of      []int
	g, low  *ir.Graph
	program engine.Program
	answers int // of loops and of native code
}

// add takes a function, unless reading it, or taking it down, gives a diagnostic.
func (s *shapeRun) add(k int, n int64, open bool) {
	src := shaped(k, n, open)
	s.within(src, func() {
		g, list := text.Parse(built.Context(), diag.NewSource("t.mlir", src), text.Options{})
		if list.Err() != nil {
			if !strings.HasPrefix(list.Err().Error(), "t.mlir:") {
				s.t.Errorf("%v\n%s", list.Err(), src)
			}
			return
		}
		if _, err := lowering.Compile(s.t.Context(), g, target.Host()); err != nil {
			if e := (*ir.OpError)(nil); !errors.As(err, &e) {
				s.t.Errorf("%v\n%s", err, src)
			}
			return
		}
		s.text, s.of = s.text+src, append(s.of, k)
	})
}

// within reports what takes longer, or more memory, than it may.
func (s *shapeRun) within(src string, do func()) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	do()
	took := time.Since(began)
	if runtime.ReadMemStats(&after); took > budget || after.TotalAlloc-before.TotalAlloc > 8*budgetBytes {
		s.t.Errorf("takes %v and %d MB\n%s", took, (after.TotalAlloc-before.TotalAlloc)>>20, src)
	}
}

// run calls all with extents.
func (s *shapeRun) run(e [2]int64) {
	if s.g == nil {
		s.prepare()
	}
	args := fmt.Sprintf("[1.5, %d, %d]", e[0], e[1])
	opts := interp.Options{Fuel: 1 << 17, MemLimit: budgetBytes}
	for _, k := range s.of {
		name := fmt.Sprintf("f%d", k)
		var want, got string
		var wantErr, gotErr error
		s.within(shapes[k].body+"\n"+args, func() { want, wantErr = built.Interpret(s.g, name, args, opts) })
		s.within(shapes[k].body+"\n"+args+" as loops", func() { got, gotErr = built.Interpret(s.low, name, args, opts) })
		s.same(k, args, "as loops", want, wantErr, got, gotErr)
		if s.native == nil || gotErr != nil && strings.Contains(gotErr.Error(), "fuel") {
			continue
		}
		s.within(shapes[k].body+"\n"+args+" natively", func() { got, gotErr = s.natively(name, args) })
		s.same(k, args, "natively", want, wantErr, got, gotErr)
	}
}

// prepare makes of all functions what is interpreted and called.
func (s *shapeRun) prepare() {
	s.g = built.Parse(s.t, s.text, text.Options{})
	s.low = built.Through(s.t, built.Parse(s.t, s.text, text.Options{}), "simplify-tensors,lower{to=affine},lower{to=scf}")
	if s.native == nil {
		return
	}
	p, err := built.Prepare(s.t.Context(), s.native, built.Parse(s.t, s.text, text.Options{}))
	if err != nil {
		s.t.Fatal(err)
	}
	s.program = p
	s.t.Cleanup(func() { p.Close() })
}

func (s *shapeRun) natively(name, args string) (string, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), budget)
	defer cancel()
	out, _, err := built.Call(ctx, s.program, s.g, name, args)
	return out, err
}

// same: one may end for want of memory or time where the other gives an answer, and a trap may be left out; all else agrees.
func (s *shapeRun) same(k int, args, how, want string, wantErr error, got string, gotErr error) {
	trapped := func(err error) bool { return err != nil && (ir.IsTrap(err) || strings.Contains(err.Error(), "trap")) }
	scarce := func(err error) bool { return err != nil && !trapped(err) }
	if gotErr == nil {
		s.answers++
	}
	switch {
	case scarce(wantErr) || scarce(gotErr) || trapped(wantErr) && how == "natively":
	case trapped(wantErr) != trapped(gotErr) || want != got && !(Program{Bounds: []Bound{{1e-12, 0}}}).isSame(want, got):
		s.t.Errorf("with %s the ops give %s, %v, and %s %s, %v:\n%s", args, want, wantErr, how, got, gotErr, shapes[k].body)
	}
}
