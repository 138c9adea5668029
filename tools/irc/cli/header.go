package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// The C header of an object file says how its functions are called:
//
//   - numbers and index are C's types of that width, i1 is bool;
//   - a memref is a pointer to its first element, then its dynamic sizes, then,
//     unless its layout is the identity, its dynamic strides;
//   - one result is returned; several go to the struct that the first argument
//     points to, field by field as they would be passed.

var cTypes = map[ir.Type]string{ir.I1: "bool", ir.I8: "int8_t", ir.I16: "int16_t", ir.I32: "int32_t", ir.I64: "int64_t",
	ir.Index: "int64_t", ir.F32: "float", ir.F64: "double"}

var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// header writes the C header of a module.
func header(m *llvm.Module, c *ir.Context, file string) string {
	guard := strings.ToUpper(regexp.MustCompile(`\W`).ReplaceAllString(filepath.Base(file), "_"))
	var b strings.Builder
	fmt.Fprintf(&b, "/* Written by irc. A memref is a pointer, its dynamic sizes and, unless the layout is the identity, its dynamic strides. */\n"+
		"#ifndef %s\n#define %s\n#include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", guard, guard)
	for _, f := range m.Funcs {
		if f.Declaration {
			continue
		}
		if decl, ok := prototype(c, f); ok {
			b.WriteString(decl)
		} else {
			fmt.Fprintf(&b, "/* %s has a name or a type that C lacks. */\n", strings.ReplaceAll(f.Name, "*/", "* /"))
		}
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n#endif\n")
	return b.String()
}

func prototype(c *ir.Context, f *llvm.Func) (string, bool) {
	in, ok1 := cFields(c, f.In, "arg")
	out, ok2 := cFields(c, f.Out, "result")
	if !ok1 || !ok2 || !identifier().MatchString(f.Name) {
		return "", false
	}
	before, ret := "", "void"
	switch len(out) {
	case 0:
	case 1:
		ret = strings.TrimSpace(strings.TrimSuffix(out[0], "result0"))
	default:
		before = fmt.Sprintf("struct %s_results { %s; };\n", f.Name, strings.Join(out, "; "))
		in = append([]string{fmt.Sprintf("struct %s_results *results", f.Name)}, in...)
	}
	if len(in) == 0 {
		in = []string{"void"}
	}
	return fmt.Sprintf("%s%s %s(%s);\n", before, ret, f.Name, strings.Join(in, ", ")), true
}

// cFields lists the C declarations of values that cross the border.
func cFields(c *ir.Context, types []ir.Type, name string) (out []string, ok bool) {
	for i, t := range types {
		info := c.Info(t)
		if info.Kind != ir.KindMemRef {
			ct := cTypes[t]
			if ct == "" {
				return nil, false
			}
			out = append(out, fmt.Sprintf("%s %s%d", ct, name, i))
			continue
		}
		ct := cTypes[info.Elem]
		strides, _, known := memref.Layout(c, t)
		if ct == "" || info.Unranked || !known {
			return nil, false
		}
		out = append(out, fmt.Sprintf("%s *%s%d", ct, name, i))
		for k, n := range info.Shape {
			if n == ir.Dynamic {
				out = append(out, fmt.Sprintf("int64_t %s%d_size%d", name, i, k))
			}
		}
		for k, n := range strides {
			if n == ir.Dynamic && info.Layout != 0 {
				out = append(out, fmt.Sprintf("int64_t %s%d_stride%d", name, i, k))
			}
		}
	}
	return out, true
}
