// Package c writes structured programs as C.
package c

import (
	"io"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// The forms.
var (
	C = &emit.Kind{Name: "c", Doc: "C, for people and other compilers", Compiles: true, Structured: target.C, Write: write,
		Examples: []string{"irc -emit=c sum.mlir -o sum.c"}}
	Freestanding = &emit.Kind{Name: "c{freestanding=true}", Doc: "C that needs no library, for small machines", Compiles: true, Structured: target.FreestandingC, Write: write,
		Examples: []string{"irc -emit='c{freestanding=true}' sum.mlir -o sum.c"}}
)

// write writes a program, and beside it its large constants.
func write(w io.Writer, o *emit.Output) error {
	return source.Write(w, o.Beside, func(d *source.Data) (string, error) {
		return c.Emit(o.Graph, c.Options{Unchecked: o.Unchecked, Freestanding: o.Target.Library == "", Name: o.Name, Data: d})
	})
}
