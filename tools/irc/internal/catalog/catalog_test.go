package catalog_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/irc/internal/catalog"
)

type matrix struct {
	Rows   ir.Size
	Layout int64
	Name   ir.Attr
}

var (
	matrixType = ir.DefineType(&ir.TypeDef[matrix]{Name: "t.matrix", Doc: "A matrix.", Format: "`[` $rows `x` $layout (`,` $name^)? `]`",
		Params: []ir.Param[matrix]{
			ir.SizeParam("rows", func(m *matrix) *ir.Size { return &m.Rows }),
			ir.WordParam("layout", []string{"dense", "sparse"}, func(m *matrix) *int64 { return &m.Layout }),
			ir.AttrParam("name", func(m *matrix) *ir.Attr { return &m.Name }).OrNone(),
		}})
	unitAttr = ir.DefineAttr(&ir.AttrDef[ir.Unit]{Name: "t.flag", Doc: "A flag."})
	made     = ir.Define(&ir.OpDef{Name: "t.made", Doc: "Makes | a matrix."})

	dialect = &ir.Dialect{Name: "t", Doc: "For tests.", Types: []ir.Defined{matrixType}, Attrs: []ir.Defined{unitAttr}, Ops: []*ir.OpDef{made},
		Folds:    []ir.Fold{{Of: made, Rule: "made = made"}},
		Cleanups: []ir.Cleanup{{Of: made, Rule: "unused = none"}}}
)

// A dialect's page lists its types and attributes with their parameters, its ops and the rules of each kind.
func TestDialect(t *testing.T) {
	d := catalog.DescribeDialect(dialect, nil)
	want := []catalog.Defined{
		{Name: "!t.matrix", Doc: "A matrix.", Form: "!t.matrix[$rows x $layout (, $name^)?]",
			Params: []string{"$rows: size", "$layout: dense or sparse", "$name: attribute, may be left out"}},
		{Name: "#t.flag", Doc: "A flag.", Form: "#t.flag"},
	}
	if !reflect.DeepEqual(d.Types, want) {
		t.Errorf("types are %+v, want %+v", d.Types, want)
	}
	if !reflect.DeepEqual(d.Ops[0].Folds, []string{"made = made"}) || !reflect.DeepEqual(d.Ops[0].Clean, []string{"unused = none"}) {
		t.Errorf("rules are %v and %v", d.Ops[0].Folds, d.Ops[0].Clean)
	}
	page := catalog.Readme(dialect, nil)
	for _, want := range []string{"# The t dialect\n\nFor tests.", "| `#t.flag` |  | A flag. |", "$layout: dense or sparse; $name: attribute",
		"| `t.made` | generic | generic | - | - | - | Makes \\| a matrix. |", "- `t.made`: made = made", "- `t.made`: unused = none"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if text := d.Text(); !strings.Contains(text, "  #t.flag  A flag.\n") || !strings.Contains(text, "$rows: size") {
		t.Errorf("got\n%s", text)
	}
	if list := catalog.Dialects([]catalog.Dialect{d}); !strings.Contains(list, "For tests.") || strings.Count(list, "\n") != 2 {
		t.Errorf("got\n%s", list)
	}
}
