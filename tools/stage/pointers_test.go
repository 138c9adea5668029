package stage_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/stage"
)

type withPointer struct{ X *int_ }

type int_ = stage.Dyn[int]

// A pointer to a Dyn, a Slice or a Tensor is none: an error says so, wherever one is given.
func TestPointers(t *testing.T) {
	type S = stage.S
	byPointer := func(s *S, x *int_) int_ { return x.Add(1) }
	for says, fn := range map[string]any{
		"parameter 1 is a pointer, *stage.Dyn[int], and a stage.Dyn[int] is given as it is": func(s *S, a *int_) int_ { return *a },
		"parameter 1 is a pointer, *stage.Slice[int], and a stage.Slice[int] is given":      func(s *S, a *stage.Slice[int]) int_ { return a.At(0) },
		"parameter 1 is a pointer, *stage.Tensor[float64], and a":                           func(s *S, a *stage.Tensor[float64]) int_ { return a.Dim(0) },
		"parameter 1 is a pointer, **stage.Dyn[int]":                                        func(s *S, a **int_) int_ { return **a },
		"parameter 1 has .X, which is a pointer, *stage.Dyn[int]":                           func(s *S, a withPointer) int_ { return *a.X },
		"parameter 1 has [0], which is a pointer":                                           func(s *S, a [2]*int_) int_ { return *a[0] },
		"result 1 is a pointer, *stage.Dyn[int]":                                            func(s *S, a int_) *int_ { return &a },
		"result 1 has [0].X, which is a pointer":                                            func(s *S, a int_) (out [2]withPointer) { return },
		"withPointer has .X, which is a pointer, *stage.Dyn[int], and a": func(s *S, a int_) int_ {
			return stage.VarOf(s, "v", withPointer{&a}).X.Add(1)
		},
		"VarOf: *stage.Dyn[int] is a pointer": func(s *S, a int_) int_ { return *stage.VarOf(s, "v", &a) },
		"Get: *stage.Dyn[int] is a pointer":   func(s *S, a int_) int_ { return *stage.Get(s, &a) },
		"Zero: [2]*stage.Dyn[int] has [0]":    func(s *S, a int_) int_ { return *stage.Zero[[2]*int_](s)[0] },
		"Set: *stage.Dyn[int] is a pointer": func(s *S, a int_) int_ {
			b := stage.Var[int](s, "b", 0)
			stage.Set(s, &b, &a)
			return b
		},
		"stage: parameter 1 is a pointer": func(s *S, a int_) int_ { return stage.Func("g", byPointer)(s, &a) },
		"stage: parameter 1 has [0], which": func(s *S, a int_) int_ {
			return stage.Func("g", func(s *S, x [1]*int_) int_ { return *x[0] })(s, [1]*int_{&a})
		},
		"stage: parameter 1 is a pointer, *stage.Dyn[int], and": func(s *S, a int_) int_ {
			return stage.Extern[func(*S, *int_) int_]("e", nil)(s, &a)
		},
		"an operand: a pointer, *stage.Dyn[int]\n\tgive what it points to": func(s *S, a int_) int_ { return a.Add(&a) },
		"an operand: a pointer, **stage.Dyn": func(s *S, a int_) int_ {
			b := &a
			return stage.Select[int](a.Gt(0), &b, 1)
		},
	} {
		if _, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", fn); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %s", err, says)
		}
		if _, err := stage.Directly[func(int) int](fn); err != nil && !strings.Contains(err.Error(), "stage: ") {
			t.Error(err)
		}
	}
}
