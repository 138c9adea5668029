package random

import (
	"context"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

var sizedPrograms = flag.Int("sized", 40, "how many programs TestSizes runs")

// elements are types of elements with their bytes.
var elements = []struct {
	name  string
	bytes int64
}{{"i8", 1}, {"i16", 2}, {"i32", 4}, {"f64", 8}, {"vector<4xf32>", 16}}

// sized is a function that allocates memory, perhaps takes a view of it, and writes and reads an
// element: @f(%n0, ..., %i) gives %i, stored and loaded where %i or the last places say.
type sized struct {
	src   string
	dims  []int64 // of the memory; dynamic: -1
	bytes int64   // of an element
}

// newSized draws the function: the memory's rank, type and extents, and what is done with it.
func newSized(r *rand.Rand) sized {
	elem := elements[r.IntN(len(elements))]
	p := sized{bytes: elem.bytes, dims: make([]int64, 1+r.IntN(4))}
	var params, dynamic, shape, at []string
	for d := range p.dims {
		if p.dims[d] = int64(1 + r.IntN(3)); d == 0 || r.IntN(3) > 0 {
			p.dims[d] = -1
			params, dynamic, shape = append(params, fmt.Sprintf("%%n%d: index", d)), append(dynamic, fmt.Sprintf("%%n%d", d)), append(shape, "?")
		} else {
			shape = append(shape, fmt.Sprint(p.dims[d]))
		}
		at = append(at, []string{"%i", "%c0", "%last"}[r.IntN(3)])
	}
	typ := fmt.Sprintf("memref<%sx%s>", strings.Join(shape, "x"), elem.name)
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%s, %%i: index) -> index {\n%%c0 = arith.constant 0 : index\n%%c1 = arith.constant 1 : index\n", strings.Join(params, ", "))
	b.WriteString("%last = arith.subi %n0, %c1 : index\n")
	fmt.Fprintf(&b, "%%m = memref.%s(%s) : %s\n", []string{"alloc", "alloc", "alloca"}[r.IntN(3)], strings.Join(dynamic, ", "), typ)
	view := ""
	if !slices.ContainsFunc(p.dims, func(d int64) bool { return d >= 0 }) && r.IntN(2) == 0 { // all but the first rows, or some
		rank := len(p.dims)
		ones, zeros, sizes := strings.Repeat(", 1", rank-1), strings.Repeat(", 0", rank-1), strings.Join(dynamic[1:], ", ")
		strides := strings.Repeat("?, ", rank-1) + "1"
		if rank == 1 {
			strides = "?"
		} else {
			sizes = ", " + sizes
		}
		view = fmt.Sprintf("memref<%sx%s, strided<[%s], offset: ?>>", strings.Join(shape, "x"), elem.name, strides)
		fmt.Fprintf(&b, "%%v = memref.subview %%m[%%i%s][%%last%s][%s%s] : %s to %s\n", zeros, sizes, []string{"%c1", "%i"}[r.IntN(2)], ones, typ, view)
	}
	if elem.name == "vector<4xf32>" {
		b.WriteString("%s = arith.index_cast %i : index to i32\n%t = arith.sitofp %s : i32 to f32\n%x = vector.splat %t : vector<4xf32>\n")
	} else if elem.name == "f64" {
		b.WriteString("%s = arith.index_cast %i : index to i64\n%x = arith.sitofp %s : i64 to f64\n")
	} else {
		fmt.Fprintf(&b, "%%x = arith.index_cast %%i : index to %s\n", elem.name)
	}
	places := strings.Join(at, ", ")
	if view != "" {
		fmt.Fprintf(&b, "memref.store %%x, %%v[%s] : %s\n", places, view)
	}
	fmt.Fprintf(&b, "%%y = call @use(%%m, %%x, %%i, %%last) : (%s, %s, index, index) -> %[2]s\n", typ, elem.name)
	shown, shownType := "%y", elem.name
	if elem.name == "vector<4xf32>" {
		b.WriteString("%z = vector.extract %y[3] : f32 from vector<4xf32>\n")
		shown, shownType = "%z", "f32"
	}
	fmt.Fprintf(&b, "%%d = memref.dim %%m, %%c0 : %s\nspecial.print %s : %s\nreturn %%d : index\n}\n", typ, shown, shownType)
	fmt.Fprintf(&b, "func.func @use(%%m: %s, %%x: %s, %%i: index, %%last: index) -> %[2]s attributes {no_inline} {\n%%c0 = arith.constant 0 : index\n", typ, elem.name)
	fmt.Fprintf(&b, "memref.store %%x, %%m[%s] : %s\n%%y = memref.load %%m[%[1]s] : %[2]s\nreturn %%y : %s\n}\n", places, typ, elem.name)
	p.src = b.String()
	return p
}

// drawExtents draws extents of which the bytes are few, or more than a word counts, and a place.
func (p sized) drawExtents(r *rand.Rand) (args []ir.Val, wraps bool) {
	for {
		args, product, least, few := args[:0], big.NewInt(p.bytes), false, r.IntN(3) == 0
		for _, d := range p.dims {
			if d < 0 {
				d = []int64{0, 1, 2, 3, 5, 1 << 31, 1 << 32, 1<<32 + 1, 1 << 60, 1 << 61, 1<<62 + 1, 1<<63 - 1, -1}[r.IntN(13)]
				if few {
					d = 1 + r.Int64N(4)
				}
				args = append(args, ir.IntVal(d, 64))
			}
			least = least || d <= 0
			product.Mul(product, big.NewInt(d))
		}
		if least || product.Cmp(big.NewInt(1<<16)) < 0 || product.BitLen() > 63 {
			return append(args, ir.IntVal([]int64{0, 1, 2, 1 << 61, -1}[r.IntN(5)], 64)), product.BitLen() > 63
		}
	}
}

// Memory of any extents, and views of it: compiled code does what the interpreter does, and traps
// where the size does not fit a machine's word.
func TestSizes(t *testing.T) {
	t.Parallel()
	e := onLLVM(t, engine.Options{})
	defer e.Close()
	ctx := ir.NewContext(dialects.All...)
	var graphs []*ir.Graph
	var programs []sized
	for seed := range uint64(*sizedPrograms) {
		p := newSized(rand.New(rand.NewPCG(*firstSeed+seed, 13)))
		g, ds := text.Parse(ctx, diag.NewSource("t.mlir", p.src), text.Options{})
		if err := ds.Err(); err != nil {
			t.Fatalf("%v\n%s", err, p.src)
		}
		graphs, programs = append(graphs, g), append(programs, p)
	}
	compiled, err := e.Prepare(context.Background(), graphs...)
	if err != nil {
		t.Fatal(err)
	}
	ended, wrapped := 0, 0
	for k, c := range compiled {
		r := rand.New(rand.NewPCG(*firstSeed+uint64(k), 14))
		for range 20 {
			args, wraps := programs[k].drawExtents(r)
			want, wantErr := interpreted(t, graphs[k], args)
			results, printed, err := c.Call(context.Background(), "f", args)
			if got := fmt.Sprint(results, printed); (err != nil) != (wantErr != nil) || err != nil && !ir.IsTrap(err) || err == nil && got != want {
				t.Fatalf("seed %d, %v: %s, %v; want %s, %v\n%s", *firstSeed+uint64(k), args, got, err, want, wantErr, programs[k].src)
			}
			if wantErr == nil {
				ended++
			} else if wraps {
				wrapped++
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d runs ended, in %d the size wrapped around", ended, wrapped)
	if n := len(graphs); ended < n || wrapped < n {
		t.Errorf("only %d runs ended, and only %d had sizes that wrap around", ended, wrapped)
	}
}

// interpreted runs @f in the interpreter: its results and what it prints, or its trap.
func interpreted(t *testing.T, g *ir.Graph, args []ir.Val) (string, error) {
	t.Helper()
	var printed []interp.Printed
	m, err := interp.New(g, interp.Options{Fuel: 1 << 16, Output: func(p interp.Printed) { printed = append(printed, p) }})
	if err != nil {
		t.Fatal(err)
	}
	results, err := m.Call("f", slices.Clone(args))
	if err != nil && !ir.IsTrap(err) {
		t.Fatalf("%v: %v", args, err)
	}
	return fmt.Sprint(results, printed), err
}
