// Package ends has what ends a pipeline that goes all the way to a target: LLVM, another compiler or
// the interpreter takes the program over.
package ends

import (
	"fmt"

	"github.com/irc-lang/irc/passes/pass"
)

// MostOptimised is the level at which LLVM compiles unless a pipeline says otherwise.
const MostOptimised = 3

// What takes a program over is no pass on the graph: the command that runs the pipeline
// does it. It stands in the text so that this says all that runs.

// LLVM is the end of the lowering pipeline to a machine.
type LLVM struct {
	Level int `opt:"level" doc:"of LLVM's optimisation, 0 to 3; -emit=llvm and -emit=nvvm write with 0 what LLVM is given, else what it makes of that"`
}

// C is the end of the way to compilers of C.
type C struct {
	Freestanding bool `opt:"freestanding" doc:"for machines without a library; -emit=c{freestanding=true} writes it"`
}

// Go is the end of the way to the go tool.
type Go struct{}

// Interpret is the end of the way to the interpreter.
type Interpret struct{}

// mainExample runs.
const mainExample = `func.func @main() -> f64 {
  %x = arith.constant 2.0 : f64
  %y = math.sqrt %x : f64
  return %y : f64
}
`

// Passes lists the ends.
var Passes = pass.List{
	{
		Name:    "llvm",
		Doc:     "Ends the lowering pipeline to a processor or a GPU: LLVM optimises the module and makes code of it. Only what compiles takes it: -emit=llvm, asm, obj, nvvm and ptx, `irc run` and `irc logdensity`. A pipeline that ends so is all that these run; any other is followed by the lowering pipeline to the target (docs/passes.md).",
		Why:     "Last: nothing runs after it.",
		Example: mainExample, Pipeline: "lower{to=llvm},llvm{level=2}",
		End: func() pass.End { return &LLVM{Level: MostOptimised} },
	},
	{
		Name:    "c",
		Doc:     "Ends the way to C. Only -emit=c takes it, which prints the program.",
		Why:     "Last: nothing runs after it.",
		Example: mainExample, Pipeline: "lower{to=math},c",
		End: func() pass.End { return &C{} },
	},
	{
		Name:    "go",
		Doc:     "Ends the way to Go. Only -emit=go takes it, which prints the program.",
		Why:     "Last: nothing runs after it.",
		Example: mainExample, Pipeline: "lower{to=math},go",
		End: func() pass.End { return &Go{} },
	},
	{
		Name:    "interpret",
		Doc:     "Ends the way to the interpreter. Only `irc run` and `irc logdensity` take it, with -engine=eval or auto, and then interpret what the pipeline makes.",
		Why:     "Last: nothing runs after it.",
		Example: mainExample, Pipeline: "canonicalize,interpret",
		End: func() pass.End { return &Interpret{} },
	},
}

// Check refuses levels that LLVM has not.
func (p *LLVM) Check() error {
	if p.Level < 0 || p.Level > MostOptimised {
		return fmt.Errorf("level=%d is not between 0 and %d", p.Level, MostOptimised)
	}
	return nil
}

// EndName is what a pipeline calls it.
func (*LLVM) EndName() string { return "llvm" }

// EndName is what a pipeline calls it.
func (*C) EndName() string { return "c" }

// EndName is what a pipeline calls it.
func (*Go) EndName() string { return "go" }

// EndName is what a pipeline calls it.
func (*Interpret) EndName() string { return "interpret" }
