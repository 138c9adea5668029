// Package stage is what stagecheck looks at of the package of this name.
package stage

type S struct{}

type Dyn[T any] struct{ n int }

type Static[T comparable] struct{ v T }

type Slice[T any] struct{}

type Thread struct{ ID Dyn[int] }

func (s *S) If(c Dyn[bool]) bool    { return true }
func (s *S) While(c Dyn[bool]) bool { return true }

func Launch(s *S, name string, blocks, threads any, body func(t Thread)) {}

func Lit[T any](s *S, x T) Dyn[T]                                  { return Dyn[T]{} }
func Var[T any](s *S, name string, init any) Dyn[T]                { return Dyn[T]{} }
func Switch[T any](s *S, x Dyn[T], cases ...T) int                 { return 0 }
func Range(s *S, n int) func(func(int) bool)                       { return nil }
func Watch[T comparable](s *S, name string, v *T)                  {}
func NewStatic[T comparable](s *S, name string, init T) *Static[T] { return nil }

func (x *Static[T]) Get() T  { return x.v }
func (x *Static[T]) Set(v T) { x.v = v }

func (x Dyn[T]) Set(y any)          {}
func (x Dyn[T]) Get() Dyn[T]        { return x }
func (x Dyn[T]) Add(y any) Dyn[T]   { return x }
func (x Dyn[T]) Mul(y any) Dyn[T]   { return x }
func (x Dyn[T]) Lt(y any) Dyn[bool] { return Dyn[bool]{} }
func (x Dyn[T]) Eq(y any) Dyn[bool] { return Dyn[bool]{} }

func (x Slice[T]) At(i any) Dyn[T] { return Dyn[T]{} }

func (x Slice[T]) Set(i, v any) {}
