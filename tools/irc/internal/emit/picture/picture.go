// Package picture draws programs and models, for Graphviz and as SVG.
package picture

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/irc/internal/draw"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
	"github.com/irc-lang/irc/tools/irc/internal/plate"
)

// The forms.
var (
	DOT = &emit.Kind{Name: "dot", Doc: "a picture for Graphviz", Draw: plate.DOT, Write: writeDOT}
	SVG = &emit.Kind{Name: "svg", Doc: "a picture", Draw: plate.SVG, Pages: true, Write: writeSVG, Examples: []string{"irc -emit=svg -o sum.svg sum.mlir"}}
)

// A model on which no pass ran is drawn as statisticians do, with plates; its statements
// if a pass left them as they are; everything else as a graph.

func writeDOT(w io.Writer, o *emit.Output) error {
	if o.Model != nil {
		return write(w, plate.DOT(o.Model), nil)
	}
	g := ir.Settle(o.Graph)
	if o.Statements != nil {
		if text, err := o.Statements(g); text != "" || err != nil {
			return write(w, text, err)
		}
	}
	return write(w, draw.DOT(g, o.Source), nil)
}

func writeSVG(w io.Writer, o *emit.Output) error {
	if o.Model != nil {
		return write(w, plate.SVG(o.Model), nil)
	}
	name := filepath.Base(o.Source.Name)
	return write(w, draw.SVG(ir.Settle(o.Graph), strings.TrimSuffix(name, filepath.Ext(name)), o.Source), nil)
}

// write writes what was made without an error.
func write(w io.Writer, text string, err error) error {
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return err
}
