package stagetest

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/tools/stage"
)

// noShare is a call whose slices are apart.
const noShare = -1

// share reports arguments that have two slices of one type, neither of them empty.
func share(args []any, how int) bool {
	in := lists.Map(args, func(a any) reflect.Value { return clone(reflect.ValueOf(a)) })
	return shareIn(in, how)
}

func shareText(how int) string {
	if how == noShare {
		return ""
	}
	return fmt.Sprintf(", slices of one type shared in way %d", how%3)
}

// shareIn makes slices of one type views of one memory, each as long as it was: in way 0 all begin at its first element, in way 1 each one
// element behind the one before, in way 2 in the middle of that. Where two overlap, the elements are those of the first.
func shareIn(in []reflect.Value, how int) (some bool) {
	of := map[reflect.Type][]reflect.Value{}
	var order []reflect.Type
	for i, x := range in {
		in[i] = reflect.New(x.Type()).Elem()
		in[i].Set(x)
		memory(in[i], func(s reflect.Value) {
			if of[s.Type()] == nil {
				order = append(order, s.Type())
			}
			of[s.Type()] = append(of[s.Type()], s)
		})
	}
	for _, t := range order {
		some = some || len(of[t]) > 1
		overlap(of[t], how)
	}
	return some
}

// memory calls f for the slices of an argument that have elements, and for the elements of Arrays.
func memory(v reflect.Value, f func(reflect.Value)) {
	switch {
	case v.Kind() == reflect.Slice && v.Len() > 0:
		f(v)
	case isArray(v.Type()):
		memory(v.FieldByName("Data"), f)
	case v.Kind() == reflect.Array, v.Kind() == reflect.Struct:
		each(v, func(x reflect.Value, _ string) { memory(x, f) })
	}
}

// isArray reports a stage.Array.
func isArray(t reflect.Type) bool {
	return t.PkgPath() == reflect.TypeFor[stage.Array[int]]().PkgPath() && strings.HasPrefix(t.Name(), "Array[")
}

func overlap(list []reflect.Value, how int) {
	at, start, end := 0, make([]int, len(list)), 0
	for i, s := range list {
		if start[i] = at; how%3 == 1 {
			at++
		} else if how%3 == 2 {
			at += s.Len() / 2
		}
		end = max(end, start[i]+s.Len())
	}
	whole := reflect.MakeSlice(list[0].Type(), end, end)
	for i := len(list) - 1; i >= 0; i-- { // the first is the last to be copied
		reflect.Copy(whole.Slice(start[i], end), list[i])
		n := list[i].Len()
		list[i].Set(whole.Slice3(start[i], start[i]+n, start[i]+n))
	}
}
