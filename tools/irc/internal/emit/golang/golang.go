// Package golang writes structured programs as Go.
package golang

import (
	"io"

	"github.com/irc-lang/irc/backends/golang"
	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// Go is the form.
var Go = &emit.Kind{Name: "go", Doc: "Go, for people and the go tool", Compiles: true, Structured: target.Go, Write: write,
	Examples: []string{"irc -emit=go sum.mlir -o sum.go"}}

// write writes a program, and beside it its large constants.
func write(w io.Writer, o *emit.Output) error {
	if o.Package != "" && !golang.IsPackage(o.Package) {
		return emit.Usagef("a package is named by one identifier", "-package: %q is no name of a package", o.Package)
	}
	return source.Write(w, o.Beside, func(d *source.Data) (string, error) {
		return golang.Emit(o.Graph, golang.Options{Unchecked: o.Unchecked, Name: o.Name, Package: o.Package, Data: d})
	})
}
