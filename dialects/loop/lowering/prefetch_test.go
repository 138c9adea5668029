package lowering_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/built"
)

// groupedRows groups the rows that a condition allows by two keys, of which there are fewer than
// there are rounds of the loop.
const groupedRows = `!row = !loop.struct<key: i64, name: !loop.string>
func.func @f(%rows: !loop.array<!row>, %n: index) -> (!loop.buckets<i64, !loop.string>, !loop.array<i64>) {
  %have = loop.len %rows : !loop.array<!row>
  %one = arith.constant 1 : i64
  %groups, %count = loop.for %i < %n -> bucket(i64, !loop.string, [reduce(add : i64)]) {
    %there = arith.cmpi ult, %i, %have : index
    %e = scf.if %there -> (!loop.emit<i64, !loop.string, i64>) {
      %row = loop.at %rows[%i] : !loop.array<!row>
      %key = loop.field %row["key"] : !row
      %name = loop.field %row["name"] : !row
      %e = loop.emit %key, %name, %one : i64, !loop.string, i64
      scf.yield %e : !loop.emit<i64, !loop.string, i64>
    } else {
      %e = loop.none : !loop.emit<i64, !loop.string, i64>
      scf.yield %e : !loop.emit<i64, !loop.string, i64>
    }
    loop.yield %e : !loop.emit<i64, !loop.string, i64>
  }
  return %groups, %count : !loop.buckets<i64, !loop.string>, !loop.array<i64>
}`

// Keys are asked for some rounds ahead, but none that are not there.
func TestAhead(t *testing.T) {
	asks := func(src string) bool {
		e, _, err := engine.Eval.Start(t.Context(), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		g, err := lowering.Compile(t.Context(), built.Parse(t, src, text.Options{}), e.Target())
		if err != nil {
			t.Fatal(err)
		}
		return hasOp(g, memref.Prefetch)
	}
	if !asks(groupedRows) || asks(strings.Replace(groupedRows, "loop.at %rows[%i]", "loop.at %rows[%have]", 1)) {
		t.Error("keys are to be asked for ahead where they are elements at the loop's index, and nowhere else")
	}
	for _, rows := range []int{0, 17, 40, 2500} { // of the last, the table is large enough to ask
		var list []string
		for i := range rows {
			list = append(list, fmt.Sprintf(`{"key": %d, "name": "%s"}`, i, strings.Repeat("name", i%11)))
		}
		args := "[[" + strings.Join(list, ", ") + fmt.Sprintf("], %d]", rows+20)
		want := built.Run(t, built.Parse(t, groupedRows, text.Options{}), "f", args)
		for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
			if got := built.Lowered(t, kind, built.Parse(t, groupedRows, text.Options{}), "f", args); got != want {
				t.Errorf("%d rows on %s: %s, want %s", rows, kind.Name, got, want)
			}
		}
	}
}

func hasOp(g *ir.Graph, def *ir.OpDef) (found bool) {
	for v := range ir.ScheduleOf(g).All() {
		found = found || g.Def(v) == def
		for _, c := range g.Children(v) {
			found = found || hasOp(c, def)
		}
	}
	return found
}
