//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"slices"
	"strings"
	"sync"
)

// libcalls are functions of libc and libm that LLVM makes calls of by itself, of
// its intrinsics, of instructions without code and of loops that copy. All of them
// compute.
var libcalls = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`memcpy memmove memset memcmp bcmp strlen
		__udivti3 __umodti3 __divti3 __modti3 __multi3 __muloti4 __powidf2 __powisf2
		__truncsfbf2 __truncdfbf2 __extendhfsf2 __truncsfhf2 __truncdfhf2 __gnu_h2f_ieee __gnu_f2h_ieee`) {
		m[n] = true
	}
	for _, n := range strings.Fields(`acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10
		expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint
		lround modf nearbyint nextafter pow remainder rint round roundeven scalbn sin sincos sinh sqrt tan tanh tgamma trunc`) {
		m[n], m[n+"f"] = true, true
	}
	return m
})

// undefined is an error that names what a module declares and may not refer to: the
// process has all of libc, and whatever else is loaded. What LLVM itself adds when it
// makes code is in libcalls.
func (m *module) undefined(o Options) error {
	c := m.l.c
	check := func(v ref) error {
		name := m.nameOf(v)
		if c.IsDeclaration(v) == 0 || strings.HasPrefix(name, "llvm.") || libcalls()[name] || slices.Contains(o.Externs, name) {
			return nil
		}
		if _, ok := o.Symbols[name]; ok {
			return nil
		}
		return m.fail("link", "the module refers to @"+name+", which is not among the names that it may use")
	}
	for f := c.GetFirstFunction(m.mod); f != 0; f = c.GetNextFunction(f) {
		if err := check(f); err != nil {
			return err
		}
	}
	for g := c.GetFirstGlobal(m.mod); g != 0; g = c.GetNextGlobal(g) {
		if err := check(g); err != nil {
			return err
		}
	}
	return nil
}
