package vet

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// place is where a function of an author stands in Go: the nearest that is known of a row of a table. at is a function,
// or nil.
func place(at any) diag.Span {
	v := reflect.ValueOf(at)
	if !v.IsValid() || v.Kind() != reflect.Func || v.IsNil() {
		return diag.Span{}
	}
	f := runtime.FuncForPC(v.Pointer())
	if f == nil {
		return diag.Span{}
	}
	file, line := f.FileLine(v.Pointer())
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(rel, "..") {
			file = rel
		}
	}
	src := diag.NewSource(file, "")
	src.First = line - 1
	return src.At(0)
}

// hook is the function of an op by which its definition is found best: one that few other ops have, too.
func (f *finder) hook(op *ir.OpDef) any {
	var best any
	least := 0
	for _, h := range hooks(op) {
		if n := f.known.sharers[reflect.ValueOf(h).Pointer()]; best == nil || n < least {
			best, least = h, n
		}
	}
	return best
}

// hooks are the functions of an op.
func hooks(op *ir.OpDef) (out []any) {
	for _, h := range []any{op.Infer, op.Eval, op.Effects, op.Traps, op.Poisons, op.Kind, op.Harmless, op.Refs, op.Enter} {
		if !reflect.ValueOf(h).IsNil() {
			out = append(out, h)
		}
	}
	return out
}
