package stagetest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/irc-lang/irc/tools/stage"
)

// Slices of one type, in structs and Arrays too, become views of one memory, as long as they were.
func TestShare(t *testing.T) {
	type pair struct{ a, b []int }
	for how, want := range []string{
		"[{[1 2 3] [1 2]} [1 2 3 8] {[2 2] [1 2 3 8]} [x]]",
		"[{[1 2 3] [2 3]} [3 6 7 8] {[2 2] [6 7 8 13]} [x]]",
		"[{[1 2 3] [2 3]} [3 6 7 8] {[2 2] [7 8 12 13]} [x]]",
	} {
		in := []reflect.Value{}
		for _, x := range []any{pair{[]int{1, 2, 3}, []int{4, 5}}, []int{5, 6, 7, 8}, stage.ArrayOf([]int{10, 11, 12, 13}, 2, 2), []string{"x"}} {
			in = append(in, clone(reflect.ValueOf(x)))
		}
		some := shareIn(in, how)
		var got []any
		for _, x := range in {
			got = append(got, x.Interface())
		}
		if a := got[0].(pair); how == 1 && &a.a[1] != &a.b[0] {
			t.Error("they are not one memory")
		}
		if text := fmt.Sprint(got); text != want || !some {
			t.Errorf("way %d: %s, want %s", how, text, want)
		}
	}
	if share([]any{[]int{1}, []int64{2}, 3, []int{}}, 0) {
		t.Error("slices of two types are shared")
	}
}
