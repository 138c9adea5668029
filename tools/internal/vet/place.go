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

// hook is a function of an op, by which its definition is found.
func hook(op *ir.OpDef) any {
	for _, f := range []any{op.Infer, op.Eval, op.Effects, op.Traps, op.Poisons, op.Kind, op.Harmless} {
		if !reflect.ValueOf(f).IsNil() {
			return f
		}
	}
	return nil
}
