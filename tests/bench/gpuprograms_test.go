package main

import (
	"testing"

	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
)

// What make gpu runs on a GPU gives on a driver that runs PTX here what the interpreter gives.
func TestGPUPrograms(t *testing.T) {
	if !jit.Doctor().Found {
		t.Skip("PTX needs libLLVM")
	}
	lib, err := cudatest.Library()
	if err != nil {
		t.Skip(err)
	}
	t.Setenv("IRC_LIBCUDA", lib)
	b := &bench{ctx: t.Context(), ptx: bundle{}}
	for _, p := range gpuPrograms {
		t.Run(p.name, func(t *testing.T) {
			want, err := b.runProgram("eval", p, p.parse)
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.runProgram("cuda", p, func() (*ir.Graph, error) { return p.kernels(t.Context()) })
			if err != nil || len(got) != len(want) || len(want) == 0 {
				t.Fatalf("%d numbers, not %d: %v", len(got), len(want), err)
			}
			for i, x := range want {
				if !(max(got[i]-x, x-got[i]) <= p.within) {
					t.Fatalf("number %d is %v, not %v", i, got[i], x)
				}
			}
		})
	}
}
