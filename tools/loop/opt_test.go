package loop_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/loop"
)

type reading struct {
	Place *string
	Value *float64
	Day   int32
}

type readingRow struct {
	Place loop.Opt[loop.Str]
	Value loop.Opt[float]
	Day   loop.Num[int32]
}

func to[T any](x T) *T { return &x }

var readings = []reading{{to("a"), to(1.5), 1}, {nil, to(2.0), 2}, {to("a"), nil, 3}, {to(""), to(4.0), 4}, {nil, nil, 5}, {to("b"), to(0.0), 6}}

// spell writes plain values with what pointers point to.
func spell(x any) string {
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return spell(v.Elem().Interface())
	case reflect.Slice, reflect.Struct:
		var out []string
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				out = append(out, spell(v.Index(i).Interface()))
			}
		} else {
			for i := range v.NumField() {
				out = append(out, spell(v.Field(i).Interface()))
			}
		}
		return "[" + strings.Join(out, " ") + "]"
	}
	return fmt.Sprintf("%#v", x)
}

// TestMissing: what may be missing goes through a program and comes out, is a key, is sorted, and is
// asked for.
func TestMissing(t *testing.T) {
	type place struct {
		Place loop.Opt[loop.Str]
		Total float
		Last  loop.Num[int32]
	}
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		rows := loop.From[readingRow]("readings")
		in, ctx := []any{readings}, t.Context()
		check := func(what string, got any, err error, want string) {
			t.Helper()
			if s := spell(got); err != nil || s != want {
				t.Errorf("%s: %s, %v; wanted %s", what, s, err, want)
			}
		}

		same := compile[[]reading](t, kind, rows.Reverse().Reverse(), rows)
		got, err := same.Run(ctx, in...)
		check("the same rows", got, err, spell(readings))
		none, err := same.Run(ctx, []reading{})
		check("no rows", none, err, "[]")

		total := compile[float64](t, kind, loop.Sum(rows, func(r readingRow) float { return r.Value.Or(loop.Lit(100.0)) }), rows)
		sum, err := total.Run(ctx, in...)
		check("a sum with 100 for what is missing", sum, err, "207.5")

		there := rows.Filter(func(r readingRow) loop.Bool { return r.Value.Has().And(r.Place.Has().Not()) })
		filtered := compile[[]reading](t, kind, there, rows)
		got, err = filtered.Run(ctx, in...)
		check("values without a place", got, err, "[[nil 2 2]]")

		groups := compile[[]struct {
			Place *string
			Total float64
			Last  int32
		}](t, kind, loop.GroupBy(rows, func(r readingRow) loop.Opt[loop.Str] { return r.Place }, func(k loop.Opt[loop.Str], g *loop.Group[readingRow]) place {
			return place{k, loop.Sum(g, func(r readingRow) float { return r.Value.Or(loop.Lit(0.0)) }), loop.Max(g, func(r readingRow) loop.Num[int32] { return r.Day })}
		}), rows)
		list, err := groups.Run(ctx, in...)
		check("groups", list, err, `[["a" 1.5 3] [nil 2 5] ["" 4 4] ["b" 0 6]]`)

		made := compile[[]*float64](t, kind, loop.Map(rows, func(r readingRow) loop.Opt[float] {
			return loop.If(r.Day.Gt(loop.Lit[int32](3)), r.Value, loop.If(r.Value.Has(), loop.None[float](), loop.Some(loop.Lit(-1.0))))
		}), rows)
		values, err := made.Run(ctx, in...)
		check("values that are made", values, err, "[nil nil -1 4 nil 0]")

		limit := loop.Param[loop.Opt[float]]("limit")
		under := compile[[]reading](t, kind, rows.Filter(func(r readingRow) loop.Bool {
			return limit.Has().Not().Or(r.Value.Or(loop.Lit(0.0)).Lt(limit.Or(loop.Lit(0.0))))
		}), rows, limit)
		got, err = under.Run(ctx, readings, to(2.0))
		check("with a limit", got, err, `[["a" 1.5 1] ["a" nil 3] [nil nil 5] ["b" 0 6]]`)
		got, err = under.Run(ctx, readings, (*float64)(nil))
		check("without a limit", got, err, spell(readings))

		first := compile[reading](t, kind, rows.At(loop.Lit[int64](1)), rows)
		one, err := first.Run(ctx, in...)
		check("one row", one, err, "[nil 2 2]")
	})
}

// TestEmptyCells: an empty cell is missing where that may be, and refused elsewhere.
func TestEmptyCells(t *testing.T) {
	file := filepath.Join(t.TempDir(), "readings.csv")
	if err := os.WriteFile(file, []byte("Day,Value,Place\n1,,x\n2,2.5,\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rows := loop.From[readingRow]("readings")
	p := compile[float64](t, engine.Eval, loop.Sum(rows, func(r readingRow) float { return r.Value.Or(loop.Lit(100.0)) }), rows)
	if x, err := p.Run(t.Context(), loop.CSV(file)); err != nil || x != 102.5 {
		t.Errorf("%v, %v", x, err)
	}
	type strict struct{ Value float }
	all := loop.From[strict]("readings")
	q := compile[float64](t, engine.Eval, loop.Sum(all, func(r strict) float { return r.Value }), all)
	if _, err := q.Run(t.Context(), loop.CSV(file)); err == nil || !strings.Contains(err.Error(), ":2:3") {
		t.Errorf("an empty cell: %v", err)
	}
}
