package mlir_test

import (
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A runner is a way of ours to run a file.
type runner struct {
	name string
	load func(t *testing.T, path, src string) call
}

// call runs a function on slots. Poison in a result is an error.
type call func(name string, args []uint64, results []string) ([]uint64, error)

// interpreter runs a program in the interpreter, verbatim or normalised.
func interpreter(verbatim bool) func(t *testing.T, path, src string) call {
	return func(t *testing.T, path, src string) call {
		t.Helper()
		g, err := parse(newContext(), path, src, verbatim)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		m, err := interp.New(g, interp.Options{Fuel: 100_000_000})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return func(name string, args []uint64, results []string) ([]uint64, error) {
			vals := make([]ir.Val, len(args))
			for i, a := range args {
				vals[i].Bits = a
			}
			got, err := m.Call(name, vals)
			if err != nil {
				return nil, err
			}
			out := make([]uint64, len(got))
			for i, v := range got {
				if v.Ref != nil {
					return nil, ir.Trapf("result %d is poison", i)
				}
				out[i] = v.Bits
			}
			return out, nil
		}
	}
}

var runners = []runner{
	{"interpreter, verbatim", interpreter(true)},
	{"interpreter", interpreter(false)},
	{"llvm", compiled},
}

// Every function of testdata gives what it gives when MLIR compiles it.
func TestSameResultsAsMLIR(t *testing.T) {
	files := samples(t)
	var modules, libm []string
	count := 0
	for _, f := range files {
		count += len(f.samples)
		if f.libm {
			libm = append(libm, f.text)
		} else {
			modules = append(modules, f.text)
		}
	}
	if count < 60 {
		t.Fatalf("only %d functions found", count)
	}
	ll := compileByMLIR(t, modules, libm)
	m := native(t, child(t), ll)
	for _, e := range runners {
		t.Run(e.name, func(t *testing.T) {
			compared := 0
			for _, f := range files {
				run := e.load(t, f.path, f.text)
				for _, s := range f.samples {
					compared += compare(t, m, run, &s)
				}
			}
			t.Logf("%d functions, %d results compared", count, compared)
		})
	}
}

// compare runs a function both ways and returns the number of results compared.
func compare(t *testing.T, m *jit.Module, run call, s *sample) int {
	t.Helper()
	tuples := s.arguments(rand.New(rand.NewPCG(19, uint64(len(s.name)))))
	var calls []jit.Call
	for _, args := range tuples {
		calls = append(calls, jit.Call{Symbol: "thunk." + s.name, Args: args, Results: len(s.result)})
	}
	want, err := m.Batch(t.Context(), calls)
	if err != nil {
		t.Fatalf("%s: @%s: compiled by MLIR: %v", s.file, s.name, err)
	}
	n, failed := 0, 0
	for i, args := range tuples {
		got, err := run(s.name, args, s.result)
		if err != nil {
			t.Errorf("%s: @%s%s: %v", s.file, s.name, showAll(args, s.args), err)
			return n
		}
		for k, typ := range s.result {
			n++
			if !equal(got[k], want[i].Results[k], typ, s.ulp) {
				t.Errorf("%s: @%s%s: result %d is %s, MLIR's is %s", s.file, s.name, showAll(args, s.args), k, show(got[k], typ), show(mask(want[i].Results[k], typ), typ))
				failed++
			}
		}
		if failed > 3 {
			return n
		}
	}
	return n
}
