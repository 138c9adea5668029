package emit

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
)

// External declares a function that is found by name: an intrinsic, or one of
// libc. It is declared once.
func (e *Emitter) External(name string, ret types.Type, params []types.Type, attrs ...string) *llir.Func {
	if f := e.Runtime[name]; f != nil {
		return f
	}
	ps := make([]*llir.Param, len(params))
	for i, t := range params {
		ps[i] = llir.NewParam("", t)
	}
	if c := e.Callee[name]; c != nil && c.Fn.Name() == name {
		if c.Declaration && types.Equal(c.Fn.Sig, types.NewFunc(ret, params...)) {
			return c.Fn // the program declares it itself
		}
		FailAt(e.G, c.V, "is named @%s, as a function of the C library that compiled code calls with another type; rename it", name)
	}
	f := e.IR.NewFunc(name, ret, ps...)
	for _, a := range attrs {
		f.FuncAttrs = append(f.FuncAttrs, Attr(a))
	}
	e.Runtime[name] = f
	return f
}

// Libc declares a function of the C library.
func (e *Emitter) Libc(name string, ret types.Type, params ...types.Type) *llir.Func {
	return e.External(name, ret, params, "nounwind")
}

func TypesOf(args []value.Value) []types.Type {
	out := make([]types.Type, len(args))
	for i, a := range args {
		out[i] = a.Type()
	}
	return out
}

// Intrinsic calls an LLVM intrinsic.
func (ib *Builder) Intrinsic(name string, ret types.Type, fast []enum.FastMathFlag, args ...value.Value) value.Value {
	c := Add(ib, llir.NewCall(ib.e.External(name, ret, TypesOf(args)), args...))
	c.FastMathFlags = fast
	return c
}

// Pure calls a function of libm. What it does to errno nobody looks at.
func (ib *Builder) Pure(name string, ret types.Type, fast []enum.FastMathFlag, args ...value.Value) value.Value {
	c := Add(ib, llir.NewCall(ib.e.External(name, ret, TypesOf(args), "nounwind", "willreturn", "memory(none)"), args...))
	c.FastMathFlags = fast
	return c
}

// Overload is the suffix of an intrinsic's name for a type.
func Overload(t types.Type) string {
	switch t := t.(type) {
	case *types.VectorType:
		return "v" + lit.I64(int64(t.Len)).Text + Overload(t.ElemType)
	case *types.IntType:
		return "i" + lit.I64(int64(t.BitSize)).Text
	}
	switch t {
	case types.Double:
		return "f64"
	case types.Float:
		return "f32"
	case types.Half:
		return "f16"
	}
	return "p0"
}

// reserved reports names that compiled code may refer to by itself: LLVM turns
// intrinsics, and loops that copy, into calls of these.
func reserved(name string) bool {
	if strings.HasPrefix(name, "llvm.") || strings.HasPrefix(name, "irc.") || strings.HasPrefix(name, "irc_") {
		return true
	}
	return name == "__extendhfsf2" || name == "__truncsfhf2" || cNames[name] || cNames[strings.TrimSuffix(name, "f")]
}

var cNames = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2
		exp10 expm1 fabs floor fma fmax fmin fmod ldexp lgamma log log10 log1p log2 nearbyint pow rint round roundeven sin
		sincos sinh sqrt tan tanh tgamma trunc frexp modf hypot digamma
		abort aligned_alloc calloc dprintf free longjmp malloc memcmp memcpy memmove memset printf putchar puts realloc
		setjmp _setjmp strlen bcmp`) {
		m[n] = true
	}
	return m
}()
