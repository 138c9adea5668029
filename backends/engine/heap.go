package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
)

// Heap returns how many blocks of memory the calls of a program took and gave back
// so far: of the eval engine always, of the llvm engine with Options.CountHeap,
// without bytes and since the child that runs it was started.
func Heap(ctx context.Context, p Program) (interp.Heap, error) {
	switch p := p.(type) {
	case chosenProgram:
		return Heap(ctx, p.Program)
	case *run.Interpreted:
		return p.Heap(), nil
	case *llvmProgram:
		return p.heap(ctx)
	}
	name, _ := p.Engine()
	return interp.Heap{}, fmt.Errorf("the engine %s does not count its heap", name)
}

func (p *llvmProgram) heap(ctx context.Context) (interp.Heap, error) {
	if !p.e.o.CountHeap {
		return interp.Heap{}, errors.New("the heap is counted only with Options.CountHeap")
	}
	if err := p.ready(ctx); err != nil {
		return interp.Heap{}, err
	}
	r, err := p.code.Batch(ctx, []jit.Call{{Symbol: llvm.HeapThunk, Results: 2}})
	if err != nil {
		p.e.died(err)
		return interp.Heap{}, err
	}
	return interp.Heap{Allocs: int64(r[0].Results[0]), Frees: int64(r[0].Results[1])}, nil
}
