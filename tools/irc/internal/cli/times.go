package cli

import (
	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// canTime refuses -time-kernels where no native code runs, or none that has a clock, and sizes without it.
func (s *Session) canTime(k *contract.Kind) error {
	switch {
	case !s.Flag("time-kernels"):
		return nil
	case !k.Native:
		return Usagef("leave one of them out", "-time-kernels takes the time of native code, and -engine=%s makes none", k.Name)
	case !s.Program.Clock.Can():
		return Usagef("leave it out", "-time-kernels needs a clock that programs read, and is there for x86-64 alone")
	}
	return nil
}

// invoke calls the function and keeps how long it took.
func (j *job) invoke(p contract.Program, args []ir.Val) ([]ir.Val, error) {
	return j.invokeAs(p, j.entry, args)
}

// invokeAs calls a function of a name.
func (j *job) invokeAs(p contract.Program, name string, args []ir.Val) ([]ir.Val, error) {
	out, err := p.Batch(j.s.Context, []contract.Call{{Name: name, Args: args}})
	if err != nil {
		return nil, err
	}
	j.wall = out[0].Wall
	return out[0].Values, out[0].Err
}

// tellTimes shows with -time-kernels where the time went.
func (j *job) tellTimes(p contract.Program) error {
	if !j.s.Flag("time-kernels") {
		return nil
	}
	if err := contract.Uncompiled(p); err != nil {
		return diag.Errorf(diag.Span{}, "-time-kernels takes the time of native code, and the program is interpreted")
	}
	return j.s.Program.Clock.Tell(j.s, j.asked, p, j.down, j.wall)
}
