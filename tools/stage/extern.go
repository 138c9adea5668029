package stage

import (
	"fmt"
	"reflect"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/stage"
)

// Extern is a function that is not staged: of C, or of a module that the program becomes part of. In the program it is declared, and
// called. F begins with a *S; the rest are Dyns, or structs and arrays of them, and it gives one Dyn or nothing. plain computes the same on plain
// values, where a program is run directly or in the interpreter; it may be nil, and then it is native code only that calls it.
//
//	hypot := stage.Extern[func(s *stage.S, x, y Float) Float]("hypot", math.Hypot)
func Extern[F any](name string, plain any) F {
	v := reflect.Zero(reflect.TypeFor[F]())
	p := reflect.ValueOf(plain)
	if err := checkExtern(name, v.Type(), p); err != nil {
		panic(err)
	}
	t := v.Type()
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		s := in[0].Interface().(*S)
		if s.run == nil {
			if !p.IsValid() {
				s.fail("Extern", "give stage.Extern a function of Go that computes the same", "a direct run cannot call %s", name)
			}
			return s.directly(t, p, in[1:])
		}
		s.onHost("Extern")
		f, ok := s.m.known[name]
		if !ok {
			f = &routine{name: name, fn: v, args: make([]reflect.Value, t.NumIn()-1), extern: true, plain: p}
			s.m.known[name] = f
			s.m.externs = append(s.m.externs, f)
		} else if !f.extern || f.fn.Type() != t {
			s.fail("Extern", "give one of them another name", "another function of the program is named %s", name)
		}
		var vals []stage.Value
		for _, a := range in[1:] {
			vals = s.values("an argument", a, vals)
		}
		return s.call(f, vals)
	}).Interface().(F)
}

// checkExtern refuses what is no function of C.
func checkExtern(name string, t reflect.Type, plain reflect.Value) error {
	if err := checkFunc(t); err != nil {
		return err
	}
	results := 0
	for i := range t.NumOut() {
		list, _ := partsOf(t.Out(i))
		for _, p := range list {
			if p.form != asNumber {
				return fmt.Errorf("stage: the extern %s gives %s: a function that is not staged gives one number, or nothing", name, t.Out(i))
			}
		}
		results += len(list)
	}
	if results > 1 {
		return fmt.Errorf("stage: the extern %s has %d results: a function that is not staged gives one number, or nothing", name, results)
	}
	for i := range t.NumIn() - 1 {
		list, err := partsOf(t.In(i + 1))
		if err != nil {
			return fmt.Errorf("stage: parameter %d of the extern %s %w: it takes Dyns", i+1, name, err)
		}
		for _, p := range list {
			if p.form != asNumber {
				return fmt.Errorf("stage: parameter %d of the extern %s is %s: it takes Dyns; give it elements", i+1, name, t.In(i+1))
			}
		}
	}
	if !plain.IsValid() {
		return nil
	}
	f := plain.Type()
	fits := f.Kind() == reflect.Func && !f.IsVariadic() && f.NumIn() == t.NumIn()-1 && f.NumOut() == t.NumOut()
	for i := 0; fits && i < f.NumIn(); i++ {
		fits = isPlain(f.In(i), t.In(i+1))
	}
	for i := 0; fits && i < f.NumOut(); i++ {
		fits = isPlain(f.Out(i), t.Out(i))
	}
	if !fits {
		return fmt.Errorf("stage: %s is not what %s, the type of the extern %s, is on plain values", f, t, name)
	}
	return nil
}

// A scalar is a Dyn of a direct run.
type scalar interface {
	get() uint64
	direct(s *S, bits uint64) any
}

// directly calls a function on plain values.
func (s *S) directly(t reflect.Type, plain reflect.Value, in []reflect.Value) (out []reflect.Value) {
	var bits []uint64
	for _, a := range in {
		parts(settable(a.Interface()), "", func(_ string, p reflect.Value) {
			bits = append(bits, p.Interface().(scalar).get())
		})
	}
	bits = callPlain(plain, bits)
	for i := range t.NumOut() {
		v := reflect.New(t.Out(i)).Elem()
		parts(v, "", func(_ string, p reflect.Value) {
			p.Set(reflect.ValueOf(p.Interface().(scalar).direct(s, bits[0])))
		})
		out = append(out, v)
	}
	return out
}

// callPlain calls a function on values that are given as bits, and gives those of its results.
func callPlain(f reflect.Value, args []uint64) (out []uint64) {
	t := f.Type()
	in := make([]reflect.Value, t.NumIn())
	for i := range in {
		in[i] = reflect.New(t.In(i)).Elem()
		plainParts(in[i], func(x reflect.Value) {
			setValue(x, args[0])
			args = args[1:]
		})
	}
	for _, r := range f.Call(in) {
		plainParts(settable(r.Interface()), func(x reflect.Value) {
			n, _ := bits(x.Interface())
			out = append(out, n)
		})
	}
	return out
}

// declare makes the declarations of a program's externs.
func (m *module) declare() {
	for _, f := range m.externs {
		in, out, _ := m.types(f)
		funcs.Declare(m.b, f.name, in, out)
	}
}

// inGo are the externs that have a function of Go, for the interpreter.
func (m *module) inGo() map[string]func(*interp.Machine, []ir.Val) ([]ir.Val, error) {
	list := map[string]func(*interp.Machine, []ir.Val) ([]ir.Val, error){}
	for _, f := range m.externs {
		if !f.plain.IsValid() {
			continue
		}
		list[f.name] = func(_ *interp.Machine, args []ir.Val) (out []ir.Val, err error) {
			in := make([]uint64, len(args))
			for i, a := range args {
				in[i] = a.Bits
			}
			for _, n := range callPlain(f.plain, in) {
				out = append(out, ir.Val{Bits: n})
			}
			return out, nil
		}
	}
	return list
}
