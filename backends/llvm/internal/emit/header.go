package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/status"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Header is the C header of an emitted module.
func (m *Module) Header(guard string) string {
	guard = identifier(guard)
	var b strings.Builder
	fmt.Fprintf(&b, "/* Made by irc. The ABI: a memref is a pointer to its element (0, ..., 0), then each\n"+
		"   size that its type leaves open, then, unless its layout is the identity, each such\n"+
		"   stride (in elements). Several results go to *results. */\n#ifndef %s\n#define %s\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"+
		"#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", guard, guard)
	if m.Checked {
		b.WriteString("/* The text of what NAME_checked returns, which is 0 if nothing is wrong. */\nconst char *irc_trap_text(int32_t status);\n\n")
	}
	for _, f := range m.Funcs {
		if !f.Declaration {
			b.WriteString(m.prototype(f))
			b.WriteByte('\n')
		}
	}
	b.WriteString("#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}

// prototype declares one function, or says why C cannot call it.
func (m *Module) prototype(f *Func) string {
	c := m.Ctx
	comment := "/* " + signature(c, f)
	if f.Doc != "" {
		comment += "\n   " + strings.ReplaceAll(strings.ReplaceAll(f.Doc, "*/", "* /"), "\n", "\n   ")
	}
	if slices.ContainsFunc(f.Out, func(t ir.Type) bool { return c.Info(t).Kind == ir.KindMemRef }) {
		comment += "\n   Memory that it returns is freed by its caller, with free, unless it is that of an argument."
	}
	comment += " */\n"
	if identifier(f.Name) != f.Name {
		return comment + "/* not callable from C: its name is no identifier of C */\n"
	}
	var params, results []string
	for i, t := range f.In {
		fs, ok := cFields(c, t, fmt.Sprintf("arg%d", i))
		if !ok {
			return comment + fmt.Sprintf("/* not callable from C: argument #%d has a type that C lacks */\n", i)
		}
		if m.Alone {
			fs = pointers(fs)
		}
		params = append(params, fs...)
	}
	for i, t := range f.Out {
		fs, ok := cFields(c, t, fmt.Sprintf("result%d", i))
		if !ok {
			return comment + fmt.Sprintf("/* not callable from C: result #%d has a type that C lacks */\n", i)
		}
		results = append(results, fs...)
	}
	ret, checked := "void", params
	switch {
	case len(results) == 1:
		ret = strings.TrimSpace(strings.TrimSuffix(results[0], "result0"))
		checked = append([]string{outOf(ret) + "result"}, params...)
	case len(results) > 1:
		comment += fmt.Sprintf("struct %s_results { %s; };\n", f.Name, strings.Join(results, "; "))
		params = append([]string{fmt.Sprintf("struct %s_results *results", f.Name)}, params...)
		checked = params
	}
	out := comment
	if !m.Alone {
		out += fmt.Sprintf("%s %s(%s);\n", ret, f.Name, listOf(params))
	}
	if m.Checked {
		out += fmt.Sprintf("int32_t %s%s(%s);\n", f.Name, status.Suffix, listOf(checked))
	}
	return out
}

// pointers makes parameters pointers, those that are not.
func pointers(fields []string) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		at := strings.LastIndex(f, " ") + 1
		out[i] = f[:at] + "*" + strings.TrimPrefix(f[at:], "*")
	}
	return out
}

// listOf writes parameters.
func listOf(params []string) string {
	if len(params) == 0 {
		return "void"
	}
	return strings.Join(params, ", ")
}

// outOf begins the declaration of a pointer to a type.
func outOf(ret string) string {
	if strings.HasSuffix(ret, "*") {
		return ret + "*"
	}
	return ret + " *"
}

func signature(c *ir.Context, f *Func) string {
	list := func(ts []ir.Type) string {
		parts := lists.Map(ts, func(t ir.Type) string { return lit.Spell(c, t) })
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return strings.ReplaceAll(f.Name+list(f.In)+" -> "+list(f.Out), "*/", "* /")
}

// cFields are the declarations of what a value crosses the border as.
func cFields(c *ir.Context, t ir.Type, name string) ([]string, bool) {
	info := c.Info(t)
	if info.Kind != ir.KindMemRef {
		s, ok := cType(c, t, false)
		return []string{s + " " + name}, ok
	}
	l, ok := memrefLayout(c, t)
	elem, okElem := cType(c, l.Elem, true)
	if !ok || !okElem {
		return nil, false
	}
	out := []string{elem + " *" + name}
	for i, n := range l.Sizes {
		if n == ir.Dynamic {
			out = append(out, fmt.Sprintf("int64_t %s_size%d", name, i))
		}
	}
	for i, n := range l.Strides {
		if n == ir.Dynamic && !l.Ident {
			out = append(out, fmt.Sprintf("int64_t %s_stride%d", name, i))
		}
	}
	return out, true
}

// cType names a scalar type; in memory integers of odd widths take whole bytes.
func cType(c *ir.Context, t ir.Type, memory bool) (string, bool) {
	switch t {
	case ir.F64:
		return "double", true
	case ir.F32:
		return "float", true
	case ir.I1:
		return "bool", true
	}
	info := c.Info(t)
	if !c.IsInt(t) {
		return "", false
	}
	w := 8 * c.ElemSize(t)
	sign := ""
	if info.Sign == ir.Unsigned || memory && w != info.Width {
		sign = "u"
	}
	return fmt.Sprintf("%sint%d_t", sign, w), memory || w == info.Width
}

// identifier replaces what C does not allow in a name.
func identifier(s string) string {
	out := strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
	if out == "" || out[0] >= '0' && out[0] <= '9' {
		out = "_" + out
	}
	return out
}
