package main

import (
	"errors"
	"fmt"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"runtime/debug"
	"strings"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// reading is what irc makes of one program.
type reading struct {
	generic string // what is printed, "" if it is refused
	src     *diag.Source
	list    diag.List
	fault   string // a panic, or no answer in time
}

// how a program is read and printed.
type how struct{ verbatim, custom bool }

// tooLong is how long one program may take.
const tooLong = 20 * time.Second

// read parses and prints a program in this process.
func read(name, src string, h how) reading {
	done := make(chan reading, 1)
	go func() {
		r := reading{src: diag.NewSource(name, src)}
		defer func() {
			if x := recover(); x != nil {
				r.fault = fmt.Sprintf("panic: %v\n%s", x, trace())
			}
			done <- r
		}()
		var g *ir.Graph
		g, r.list = text.Parse(ir.NewContext(dialects.All...), r.src, text.Options{Verbatim: h.verbatim, AllowUnregistered: true})
		if r.list.Err() == nil {
			r.list = append(r.list, checkSymbols(g, r.src)...)
		}
		if r.list.Err() == nil {
			r.generic = text.String(g, text.PrintOptions{Generic: !h.custom})
		}
	}()
	select {
	case r := <-done:
		return r
	case <-time.After(tooLong):
		return reading{fault: "no answer in " + tooLong.String()}
	}
}

// checkSymbols checks calls and names, as the driver does after parsing.
func checkSymbols(g *ir.Graph, src *diag.Source) diag.List {
	err := symbols.Check(g)
	if err == nil {
		return nil
	}
	at, oe := 0, (*ir.OpError)(nil)
	if errors.As(err, &oe) && oe.Loc != 0 && oe.Loc&ir.LocAttr == 0 {
		at = int(oe.Loc) - 1
	}
	return diag.List{diag.Errorf(src.At(at), "%v", err)}
}

// trace is the part of the stack below the panic.
func trace() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	for i, s := range lines {
		if strings.HasPrefix(s, "panic(") {
			lines = lines[i+2:]
			break
		}
	}
	return strings.Join(lines[:min(8, len(lines))], "\n")
}

// refusal is the first error of a reading, with its line.
func (r reading) refusal() string {
	if r.fault != "" {
		return r.fault
	}
	for _, d := range r.list {
		if d.Severity == diag.Error {
			line, _ := r.src.Position(d.Span.Start)
			lines := strings.Split(r.src.Text, "\n")
			return fmt.Sprintf("line %d: %s\n      %s", line, d.Message, strings.TrimSpace(lines[min(line, len(lines))-1]))
		}
	}
	return ""
}
