package text

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
)

const graphRegion = `"t_.graph"() ({
  %0 = "t_.b"(%1, %2#1) : (i32, i64) -> i32
  %1 = "t_.c"(%0) : (i32) -> i32
  %2:2 = "t_.d"(%0) : (i32) -> (i32, i64)
  "t_.e"() ({
    "t_.f"(%3, %4) : (i32, i32) -> ()
    %4 = "t_.g"(%4) : (i32) -> i32
  }) : () -> ()
  %3 = "t_.c"(%0) : (i32) -> i32
}) : () -> ()
`

// A graph region, read verbatim, prints as it is written, also once it is rebuilt.
func TestForward(t *testing.T) {
	g, list := Parse(miniContext(), diag.NewSource("a.mlir", graphRegion), Options{Verbatim: true})
	if list.Err() != nil {
		t.Fatal(list)
	}
	again := ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), nil, nil)
	for _, g := range []*ir.Graph{g, again} {
		if err := ir.Verify(g); err != nil {
			t.Error(err)
		}
		if got := String(g, PrintOptions{}); flat(got) != flat("module {"+graphRegion+"}") {
			t.Errorf("got\n%s", got)
		}
		if got := String(g, PrintOptions{Generic: true}); !strings.Contains(got, `"t_.b"(%1, %2#1) : (i32, i64) -> i32`) {
			t.Errorf("got\n%s", got)
		}
	}
}

func flat(s string) string { return strings.Join(strings.Fields(s), "") }

func TestForwardErrors(t *testing.T) {
	for src, want := range map[string]string{
		`"t_.x"(%1) : (i32) -> ()`:                                                                                        "1: use of undefined value '%1'",
		`"t_.x"(%1) : (i32) -> () %1 = "t_.y"() : () -> i64`:                                                              "1: '%1' is used as i32, but its type is i64",
		`"t_.x"(%1#1) : (i32) -> () %1 = "t_.y"() : () -> i32`:                                                            "1: '%1' has 1 results",
		`"t_.x"(%1#9999999) : (i32) -> () %1 = "t_.y"() : () -> i32`:                                                      "1: '%1' has 1 results",
		`%0 = arith.addi %1, %1 : i32 %1 = "t_.y"() : () -> i32`:                                                          "1: '%1' is used before its definition, and nothing here tells its type",
		"\"t_.g\"() ({ \"t_.h\"() ({ %1 = \"t_.y\"() : () -> i32 }) : () -> ()\n\"t_.x\"(%1) : (i32) -> () }) : () -> ()": "2: value '%1' is not visible here",
		"\"t_.g\"() ({ scf.for %i = %a to %a step %a { \"t_.x\"(%1) : (i32) -> ()\n%1 = \"t_.y\"() : () -> i32 } %a = \"t_.a\"() : () -> index }) : () -> ()": "1: ",
	} {
		_, list := Parse(miniContext(), diag.NewSource("a.mlir", src), Options{Verbatim: true})
		if len(list) == 0 {
			t.Errorf("%s is accepted", src)
			continue
		}
		line, _ := list[0].Span.Source.Position(list[0].Span.Start)
		if got := fmt.Sprintf("%d: %s", line, list[0].Message); !strings.HasPrefix(got, want) || len(list) > 1 {
			t.Errorf("%s\ngot %v\nwant %s", src, list, want)
		}
		if _, list := Parse(miniContext(), diag.NewSource("a.mlir", src), Options{AllowUnregistered: true}); list.Err() == nil {
			t.Errorf("%s is accepted without -verbatim", src)
		}
	}
}

// Many uses that wait for many definitions take linear time.
func TestForwardsLinear(t *testing.T) {
	var b strings.Builder
	const n = 20000
	for i := range n {
		fmt.Fprintf(&b, "\"t_.x\"(%%%d) : (i32) -> ()\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "%%%d = \"t_.y\"() : () -> i32\n", i)
	}
	spent := irtest.Work()
	if _, list := Parse(miniContext(), diag.NewSource("a.mlir", b.String()), Options{Verbatim: true}); list.Err() != nil {
		t.Fatal(list)
	}
	if d := spent(); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

// Resources of a dialect that is not known go with the attribute that has their
// key as a word; those of tools stay with the file.
func TestResources(t *testing.T) {
	const end = `
{-#
  dialect_resources: {
    builtin: {
      b: "0x08000000010000000000000002000000000000000300000000000000"
    },
    test: {
      blob1: "0x080000000100000000000000"
    }
  },
  external_resources: {
    external: {
      blob: "0x08000000",
      bool: true,
      string: "\22string\22"
    }
  }
#-}
`
	src := `module attributes {a = dense_resource<b> : tensor<3xi64>, test.ref = #test.e<blob1> : tensor<*xi1>} {
}
` + strings.Replace(end, "blob1: ", "blob2: \"0x0800000002\", blob1: ", 1) + `
{-# external_resources: {mlir_reproducer: {pipeline: "x"}} #-}`
	for _, verbatim := range []bool{true, false} {
		g, list := Parse(miniContext(), diag.NewSource("a.mlir", src), Options{Verbatim: verbatim})
		if len(list) > 0 {
			t.Fatal(list)
		}
		got := String(ir.Settle(g), PrintOptions{})
		if !strings.HasSuffix(got, end) {
			t.Errorf("got\n%s", got)
		}
		g, list = Parse(miniContext(), diag.NewSource("a.mlir", got), Options{Verbatim: verbatim})
		if len(list) > 0 || String(g, PrintOptions{}) != got {
			t.Errorf("not a fixed point: %v", list)
		}
	}
}
