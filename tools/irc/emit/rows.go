package emit

import (
	"io"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/irc/plate"
)

// All lists the kinds of this repository, the one that is written unasked first.
var All = []*Kind{
	{Name: "ir", Doc: "text IR", Text: true, Write: func(w io.Writer, o *Output) error { return printText(w, o, o.Print.Generic) }},
	{Name: "generic", Doc: "text IR in MLIR's generic form", Text: true, Write: func(w io.Writer, o *Output) error { return printText(w, o, true) },
		Examples: []string{"irc sum.mlir -emit=generic"}},
	{Name: "llvm", Doc: "LLVM IR", Compiles: true, Raw: true, Write: writeLLVM, Examples: []string{"irc -emit=llvm sum.mlir -o sum.ll"}},
	{Name: "c", Doc: "C, for people and other compilers", Compiles: true, Structured: target.C, Write: writeC,
		Examples: []string{"irc -emit=c sum.mlir -o sum.c"}},
	{Name: "c{freestanding=true}", Doc: "C that needs no library, for small machines", Compiles: true, Structured: target.FreestandingC, Write: writeC,
		Examples: []string{"irc -emit='c{freestanding=true}' sum.mlir -o sum.c"}},
	{Name: "go", Doc: "Go, for people and the go tool", Compiles: true, Structured: target.Go, Write: writeGo,
		Examples: []string{"irc -emit=go sum.mlir -o sum.go"}},
	{Name: "asm", Doc: "assembly", Compiles: true, Write: writeAssembly},
	{Name: "obj", Doc: "an object file, and a C header beside it", Compiles: true, Binary: true, Write: writeObject,
		HostOnly: "use -emit=ptx: the driver compiles that when it loads it"},
	{Name: "dot", Doc: "a picture for Graphviz", Draw: plate.DOT, Write: writeDOT},
	{Name: "svg", Doc: "a picture", Draw: plate.SVG, Pages: true, Write: writeSVG, Examples: []string{"irc -emit=svg -o sum.svg sum.mlir"}},
	{Name: "ptx", Doc: "the kernels of the program, as PTX", Compiles: true, Kernels: true, Write: writePTX},
	{Name: "nvvm", Doc: "the kernels of the program, as LLVM IR", Compiles: true, Raw: true, Kernels: true, Write: writeLLVM},
}

func printText(w io.Writer, o *Output, generic bool) error {
	p := o.Print
	p.Generic = generic
	return text.Print(w, ir.Settle(o.Graph), p)
}
