package stage

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"

	"github.com/irc-lang/irc/ir/stage"
)

// Func makes a function of the program: what it stages is a func.func of its own for each combination of what the host gives, and
// a call of it where it is called. It may call itself. fn begins with a *S; its other parameters are Dyn, Slice, or what can be
// compared and printed.
func Func[F any](name string, fn F) F {
	v := reflect.ValueOf(fn)
	if err := checkFn(v); err != nil {
		panic(err)
	}
	t := v.Type()
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		s := in[0].Interface().(*S)
		if s.run == nil {
			return v.Call(in)
		}
		args := make([]reflect.Value, len(in)-1)
		var vals []stage.Value
		var tensors []extents
		for i, a := range in[1:] {
			if isStaged(a.Type()) {
				if onDevice(a) {
					s.fail("Func", "capture it: a function of the host that is called stages its ops here", "memory of the device is given to a function of the program")
				}
				vals = s.values("an argument", a, vals)
				tensors = append(tensors, extentsIn(a)...)
				continue
			}
			s.hostArgument(i+1, a)
			args[i] = a
		}
		s.m.names = s.m.names || isTwice(in[1:])
		g := s.m.function(s, name, v, args, tensors)
		out := s.call(g, vals)
		s.agrees(g, v)
		return out
	}).Interface().(F)
}

// isTwice reports a memory that is twice among arguments.
func isTwice(args []reflect.Value) bool {
	seen := map[stage.Value]bool{}
	for _, a := range args {
		if !isStaged(a.Type()) {
			continue
		}
		twice := false
		parts(settable(a.Interface()), "", func(_ string, p reflect.Value) {
			if x := p.Interface().(staged); isMemory(x) {
				v := x.valueIn(0)
				twice, seen[v] = twice || seen[v], true
			}
		})
		if twice {
			return true
		}
	}
	return false
}

func isMemory(x staged) bool {
	_, f := x.kindIn()
	return f == asMemory
}

// maxFunctions bounds those of a program.
const maxFunctions = 10_000

// function is that of a name, of a function of Go, of what the host gives it, and of the extents of Tensors.
func (m *module) function(s *S, name string, fn reflect.Value, args []reflect.Value, tensors []extents) *routine {
	base := name
	for _, a := range args {
		if a.IsValid() {
			base += "_" + word(a)
		}
	}
	for n := 1; ; n++ {
		symbol := base
		if n > 1 {
			symbol = fmt.Sprintf("%s_%d", base, n)
		}
		g, ok := m.known[symbol]
		switch {
		case !ok:
			if len(m.known) >= maxFunctions {
				s.fail("Func", "bound what the host gives it, or make it a Dyn", "the program has %d functions, one for each thing that %s was given: they do not come to an end", len(m.known), name)
			}
			g = &routine{name: symbol, fn: fn, args: args, tensors: tensors, of: name, object: object(fn)}
			m.known[symbol] = g
			m.todo = append(m.todo, g)
			return g
		case g.extern && symbol == name, g.of == name && g.fn.Pointer() != fn.Pointer():
			s.fail("Func", "give it another name", "two functions are named %s", name)
		case g.of == name && g.takes(args) && sameExtents(g.tensors, tensors):
			return g
		}
	}
}

// word is what the host gives, as part of a name; what is no number and no text has none.
func word(a reflect.Value) string {
	if k := a.Kind(); k == reflect.Interface && !a.IsNil() {
		return word(a.Elem())
	} else if k > reflect.Complex128 && k != reflect.String {
		return ""
	}
	text := fmt.Sprint(a.Interface())
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '$'
	}, text[:min(len(text), 40)])
}

// takes reports that it is the function for what the host gives.
func (f *routine) takes(args []reflect.Value) bool {
	for i, a := range args {
		b := f.args[i]
		if a.IsValid() != b.IsValid() || a.IsValid() && key(a.Interface()) != key(b.Interface()) {
			return false
		}
	}
	return true
}

// A number is a float by its bits: 0 is not -0, and NaN is NaN.
type number struct {
	k    kind
	bits uint64
}

// key is what tells values of the host apart.
func key(x any) any {
	switch x := x.(type) {
	case float64:
		return number{f64, math.Float64bits(x)}
	case float32:
		return number{f32, uint64(math.Float32bits(x))}
	}
	return x
}

// object is where a function and what it captures are.
func object(fn reflect.Value) unsafe.Pointer {
	p := reflect.New(fn.Type())
	p.Elem().Set(fn)
	return *(*unsafe.Pointer)(p.UnsafePointer())
}

// agrees refuses a function that does something else than the one of its name, because it captures something else.
func (s *S) agrees(g *routine, fn reflect.Value) {
	at := object(fn)
	if _, ok := g.others[at]; ok || at == g.object || !s.run.Fresh() {
		return
	}
	if g.others == nil {
		g.others = map[unsafe.Pointer]reflect.Value{}
	}
	g.others[at] = fn
	o := s.m.opts
	o.Checks = -1
	var err error
	if g.found == nil {
		if g.found, err = s.m.extract(g, o); err != nil {
			return // as it is told when it is defined
		}
	}
	if other, err := s.m.extract(&routine{name: g.name, fn: fn, args: g.args, tensors: g.tensors}, o); err != nil || !other.Equal(g.found) {
		s.fail("Func", "give it as a parameter what it captures, or another name", "two functions are named %s, which capture different things", g.of)
	}
}

// call stages a call of a function of the program, and gives what its results are as values of Go.
func (s *S) call(g *routine, vals []stage.Value) (out []reflect.Value) {
	t, gives := g.fn.Type(), s.resultsOf(g)
	var list []part
	for i := range t.NumOut() {
		of, _ := partsOf(t.Out(i))
		list = append(list, of...)
	}
	op := code{op: "call", name: g.name}
	if len(list) > 0 {
		op.to = list[0].kind
	}
	if len(list) == 1 && len(gives) == 1 {
		op.shape = gives[0]
	}
	call := s.run.Emit(stage.Op{Code: op, Args: vals})
	n := 0
	for i := range t.NumOut() {
		out = append(out, s.made(t.Out(i), func(k kind, f form) (_ stage.Value, shape []int64) {
			key := ""
			if f == asTensor {
				key, gives = gives[0], gives[1:]
				shape = extentsOf(key)
			}
			if len(list) == 1 {
				return call, shape
			}
			n++
			return s.run.Emit(stage.Op{Code: code{op: "result", k: k, imm: uint64(n - 1), shape: key}, Args: []stage.Value{call}, Sub: n}), shape
		}))
	}
	return out
}
