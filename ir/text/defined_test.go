package text

import (
	"errors"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A dialect whose types have a parameter of each kind.

type box struct {
	Elem  ir.Type
	Count int64
	Kind  int64
	Rows  ir.Size
	Name  string
}

type many struct{ Types, Ints, Sizes, Any ir.Attr }

type weight struct{ X, Y float64 }

var (
	dBox = ir.DefineType(&ir.TypeDef[box]{Name: "d.box", Doc: "A box.",
		Format: "`<` $kind `` `:` $count `x` $elem `,` $rows (`,` `name` `=` $name^)? `>`",
		Params: []ir.Param[box]{
			ir.TypeParam("elem", func(t *box) *ir.Type { return &t.Elem }),
			ir.IntParam("count", func(t *box) *int64 { return &t.Count }),
			ir.WordParam("kind", []string{"red", "blue"}, func(t *box) *int64 { return &t.Kind }),
			ir.SizeParam("rows", func(t *box) *ir.Size { return &t.Rows }),
			ir.StringParam("name", func(t *box) *string { return &t.Name }).OrNone(),
		},
		Verify: func(c *ir.Context, t box) error {
			if t.Count <= 0 {
				return errors.New("has a positive count")
			}
			return nil
		}})
	dMany = ir.DefineType(&ir.TypeDef[many]{Name: "d.many", Params: []ir.Param[many]{
		ir.TypesParam("types", func(t *many) *ir.Attr { return &t.Types }),
		ir.IntsParam("ints", func(t *many) *ir.Attr { return &t.Ints }),
		ir.SizesParam("sizes", func(t *many) *ir.Attr { return &t.Sizes }),
		ir.AttrParam("any", func(t *many) *ir.Attr { return &t.Any }),
	}})
	dUnit   = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "d.unit"})
	dWeight = ir.DefineAttr(&ir.AttrDef[weight]{Name: "d.weight", Params: []ir.Param[weight]{
		ir.FloatParam("x", func(a *weight) *float64 { return &a.X }),
		ir.FloatParam("y", func(a *weight) *float64 { return &a.Y }),
	}})
	dOp = ir.Define(&ir.OpDef{Name: "d.op", Attrs: []string{"w", "v"}, Infer: given})

	definedDialect = &ir.Dialect{Name: "d", Types: []ir.Defined{dBox, dMany, dUnit}, Attrs: []ir.Defined{dWeight}, Ops: []*ir.OpDef{dOp},
		Tables: []any{Syntax{dOp: {Format: "$w (`at` $v^)? attr-dict `:` type($result)", Attrs: map[string]AttrForm{"w": DefinedForm(dWeight)}}}}}
)

func definedContext() *ir.Context { return ir.NewContext(append(miniDialects, definedDialect)...) }

// What is written in any of the forms is one type, and is printed in one form.
func TestDefinedTypes(t *testing.T) {
	c := definedContext()
	for _, x := range []struct{ text, want string }{
		{"!d.box<red: 4 x f64, n>", ""},
		{"!d.box<blue:4 x i32,?,name=\"a\\22\">", `!d.box<blue: 4 x i32, ?, name = "a\22">`},
		{"!d<box<red: 4 x f64, 7>>", "!d.box<red: 4 x f64, 7>"},
		{"!d< many<[i1, !d.unit], [1, -2], [3, ?, rows], #d.weight<1.5, -0.0>> >", "!d.many<[i1, !d.unit], [1, -2], [3, ?, rows], #d.weight<1.500000e+00, -0.000000e+00>>"},
		{"!d.many<[], [], [], unit>", ""},
		{"!d.box<red: 1 x !d.box<blue: 2 x memref<?x!d.unit>, a>, b>", ""},
		{"!d.unit", ""},
		{"!e.box<red: 4x f64,   n>", ""}, // of a dialect that is not registered
	} {
		src := `%0 = "u_.x"() : () -> ` + x.text + "\n"
		g, errs := Parse(c, diag.NewSource("in", src), verbatim)
		if errs.Err() != nil {
			t.Errorf("%s: %v", x.text, errs)
			continue
		}
		want := x.want
		if want == "" {
			want = x.text
		}
		got := String(g, PrintOptions{Generic: true})
		if !strings.Contains(got, "-> "+want+"\n") {
			t.Errorf("%s is printed in\n%s", x.text, got)
		}
		h, errs := Parse(c, diag.NewSource("in", got), verbatim)
		if errs.Err() != nil || String(h, PrintOptions{Generic: true}) != got {
			t.Errorf("%s is read again as\n%v%v", got, h, errs)
		}
	}
}

// A type is its Go value: equal ones are one type, however they were made.
func TestDefinedValues(t *testing.T) {
	c := definedContext()
	v := box{Elem: ir.F64, Count: 4, Kind: 1, Rows: ir.NamedSize("n")}
	made := dBox.Type(c, v)
	if got := TypeString(c, made); got != "!d.box<blue: 4 x f64, n>" {
		t.Errorf("printed as %s", got)
	}
	g, errs := Parse(c, diag.NewSource("in", `%0 = "u_.x"() : () -> !d<box<blue: 4 x f64, n>>`), verbatim)
	if errs.Err() != nil {
		t.Fatal(errs)
	}
	var read ir.Type
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		for _, k := range g.Children(v) {
			for w := ir.Value(1); int(w) < k.Len(); w++ {
				read = max(read, k.Type(w))
			}
		}
		if dBox.Is(c, g.Type(v)) {
			read = g.Type(v)
		}
	}
	if back, ok := dBox.Of(c, read); read != made || !ok || back != v {
		t.Errorf("read as %v %v, made as %v", read, back, made)
	}
	if _, ok := dBox.Of(c, ir.F64); ok || dUnit.Is(c, made) {
		t.Error("another type is taken for a box")
	}
	if _, err := dBox.Make(c, box{Elem: ir.F64}); err == nil || err.Error() != "has a positive count" {
		t.Errorf("a box of count 0: %v", err)
	}
	if _, err := dBox.Make(c, box{Count: 1}); err == nil || !strings.Contains(err.Error(), "no parameter 'elem'") {
		t.Errorf("a box of nothing: %v", err)
	}
	if c.OpaqueType("d.unit") == dUnit.Type(c, ir.Unit{}) {
		t.Error("text is taken for a defined type")
	}
	nan := weight{X: 0, Y: -1}
	minus := weight{X: negate(0), Y: -1}
	if dWeight.Attr(c, nan) == dWeight.Attr(c, minus) {
		t.Error("0 and -0 are one attribute")
	}
	if back, ok := dWeight.Of(c, dWeight.Attr(c, nan)); !ok || back != nan {
		t.Errorf("an attribute gives %v", back)
	}
}

func negate(x float64) float64 { return -x }

// What is wrong with a type is said at its place, with a way out.
func TestDefinedErrors(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"!d.bix<red: 4 x f64, n>", "1:23: error: dialect 'd' has no type 'bix'\n  %0 = \"u_.x\"() : () -> !d.bix<red: 4 x f64, n>\n                        ^~~~~~\nhelp: did you mean '!d.box'?"},
		{"!d<quite>", "1:26: error: dialect 'd' has no type 'quite'"},
		{"!d<quite>", "help: it has !d.box, !d.many, !d.unit"},
		{"!d.box<red: 0 x f64, n>", "1:23: error: type '!d.box' has a positive count\n  %0 = \"u_.x\"() : () -> !d.box<red: 0 x f64, n>\n                        ^~~~~~~~~~~~~~~~~~~~~~~"},
		{"!d.box<green: 4 x f64, n>", "1:30: error: expected one of red, blue, found 'green'"},
		{"!d.box<red: 4 x f64, -1>", "1:44: error: a size is not negative"},
		{"!d.box<red: 4 x f64, =>", "1:44: error: expected a size: a number, a name or '?', found '='"},
		{"!d.box<red: 4 x f64>", "error: expected ',', found '>'"},
		{"!d.box<red: 4 x d, n>", "error: expected a type, found 'd'"},
		{"!d.box", "error: expected '<'"},
		{"!d.unit<4>", "1:30: error: 'd.unit' has no parameters"},
		{"!d<box<red: 1 x f64, n>", "error: expected '>'"},
		{"!d.many<[i1], [x], [], unit>", "expected an integer, found 'x'"},
		{"i1, #d.wieght<1.0, 2.0>", "error"},
	} {
		_, errs := Parse(definedContext(), diag.NewSource("in", `%0 = "u_.x"() : () -> `+x.text+"\n"), verbatim)
		if got := errs.Error(); !strings.Contains(got, x.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", x.text, got, x.want)
		}
	}
	_, errs := Parse(definedContext(), diag.NewSource("in", `"u_.x"() {a = #d.wieght<1.0, 2.0>} : () -> ()`), verbatim)
	if got := errs.Error(); !strings.Contains(got, "has no attribute 'wieght'") || !strings.Contains(got, "did you mean '#d.weight'?") {
		t.Errorf("got\n%s", got)
	}
}

// An op may write an attribute of a definition without its name.
func TestDefinedAttrs(t *testing.T) {
	src := "module {\n  %0 = d.op <1.000000e+00, 0x7FF8000000000001> at #d.weight<0.000000e+00, 2.500000e+00> : f64\n}\n"
	g, errs := Parse(definedContext(), diag.NewSource("in", src), verbatim)
	if errs.Err() != nil {
		t.Fatal(errs)
	}
	if got := String(g, PrintOptions{}); got != src {
		t.Errorf("got\n%s\nwant\n%s", got, src)
	}
	generic := String(g, PrintOptions{Generic: true})
	if !strings.Contains(generic, "w = #d.weight<1.000000e+00, 0x7FF8000000000001>") {
		t.Errorf("got\n%s", generic)
	}
	h, errs := Parse(definedContext(), diag.NewSource("in", generic), verbatim)
	if errs.Err() != nil || String(h, PrintOptions{}) != src {
		t.Errorf("the generic form reads as\n%v", errs)
	}
}

// Any text behind the name of a type gives a type that is printed and read again, or
// a diagnostic.
func FuzzDefinedType(f *testing.F) {
	for _, s := range []string{"!d.box<red: 4 x f64, n>", "!d<box<blue: 1 x !d.unit, ?, name = \"x\">>", "!d.many<[i1, !d.unit], [1, -2], [3, ?, rows], #d.weight<1.5, -0.0>>", "!d.unit", "!d<unit>", "!d.box<", "!0<a<b>>"} {
		f.Add(s)
	}
	c := definedContext()
	f.Fuzz(func(t *testing.T, text string) {
		g, errs := Parse(c, diag.NewSource("in", `"u_.x"() : () -> `+text+"\n"), verbatim)
		if (g == nil) != (errs.Err() != nil) {
			t.Fatalf("graph: %v, errors: %v", g != nil, errs)
		}
		if g == nil {
			return
		}
		one := String(g, PrintOptions{Generic: true})
		h, errs := Parse(c, diag.NewSource("printed", one), verbatim)
		if errs.Err() != nil || String(h, PrintOptions{Generic: true}) != one {
			t.Fatalf("printed\n%s\nnot read again: %v", one, errs)
		}
	})
}
