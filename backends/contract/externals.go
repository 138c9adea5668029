package contract

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// An ExternalError says that a program calls a function outside of it that it may
// not call. Every engine refuses such a program before anything of it runs.
type ExternalError struct {
	Call ir.OpError // the op that names the function
	Name string
	Decl ir.Loc // its declaration
	Fix  string
}

func (e *ExternalError) Error() string { return e.Call.Error() }

// libm lists the functions that any program may declare and call, by their types:
// d is f64, i is i32, l is i64; the result comes first. Each has a sister for f32,
// with an f at its name's end.
var libm = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for types, list := range map[string]string{
		"dd": `acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 exp10 expm1 fabs floor j0 j1 lgamma log log10
			log1p log2 logb nearbyint rint round roundeven sin sinh sqrt tan tanh tgamma trunc y0 y1`,
		"ddd":  "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder",
		"dddd": "fma",
		"ddi":  "ldexp scalbn",
		"id":   "ilogb",
		"ld":   "llrint llround lrint lround",
	} {
		for _, name := range strings.Fields(list) {
			m[name] = types
			m[name+"f"] = strings.ReplaceAll(types, "d", "f")
		}
	}
	return m
})

// CheckExternals refuses calls of declared functions but those of libm, with its
// types, and those whose names are allowed. The first such call is the error, an
// *ExternalError.
func CheckExternals(g *ir.Graph, allowed []string) error {
	w := &externals{allowed: allowed}
	w.scope(g)
	if w.err == nil {
		return nil // and not a nil pointer
	}
	if w.err.Fix == "" {
		slices.Sort(w.wanted)
		w.err.Fix = "define it in the module; or, if you trust the program with it, run with -extern=" + strings.Join(slices.Compact(w.wanted), ",")
	}
	return w.err
}

// Externals lists the functions that a program declares and does not define.
func Externals(g *ir.Graph) []string {
	w := &externals{}
	w.scope(g)
	slices.Sort(w.all)
	return slices.Compact(w.all)
}

// externals walks over a program; decls are the declarations in scope.
type externals struct {
	allowed []string
	decls   map[string]declaration
	all     []string // names of all declarations
	wanted  []string // names that it refers to and that are neither listed nor allowed
	err     *ExternalError
}

type declaration struct {
	typ *ir.TypeInfo
	loc ir.Loc
}

// scope looks at a graph with symbols of its own.
func (w *externals) scope(g *ir.Graph) {
	outer := w.decls
	w.decls = map[string]declaration{}
	s := ir.ScheduleOf(g)
	for v := range s.All() {
		if g.Def(v) == funcs.Func && !g.Children(v)[0].HasBlock(ir.Root) {
			name := funcs.NameOf(g, v)
			w.all = append(w.all, name)
			w.decls[name] = declaration{funcs.TypeOf(g.Ctx, g.AttrsOf(v)), firstLoc(g, v)}
		}
	}
	w.ops(g, s)
	w.decls = outer
}

func (w *externals) ops(g *ir.Graph, s *ir.Schedule) {
	for v := range s.All() {
		switch g.Def(v) {
		case funcs.Call:
			w.reference(g, v, "calls", "callee")
		case funcs.Constant:
			w.reference(g, v, "takes", "value")
		}
		for _, c := range g.Children(v) {
			if g.Def(v) == builtin.Module {
				w.scope(c)
			} else {
				w.ops(c, ir.ScheduleOf(c))
			}
		}
	}
}

func firstLoc(g *ir.Graph, v ir.Value) ir.Loc {
	if ls := g.LocsOf(v); len(ls) > 0 {
		return ls[0]
	}
	return 0
}

// reference checks one op that names a function; the first error stays. Its way out,
// if it has none yet, is to allow all that is wanted.
func (w *externals) reference(g *ir.Graph, v ir.Value, verb, attr string) {
	name := g.Ctx.AttrInfo(g.Attr(v, attr)).Str
	d, ok := w.decls[name]
	if !ok {
		return
	}
	refuse := func(fix, format string, args ...any) {
		if w.err != nil {
			return
		}
		msg := fmt.Sprintf("%s @%s, ", verb, name) + fmt.Sprintf(format, args...)
		w.err = &ExternalError{ir.OpError{Op: g.Def(v).Name, Loc: firstLoc(g, v), Msg: msg}, name, d.loc, fix}
	}
	types, listed := libm()[name]
	switch {
	case strings.HasPrefix(name, "irc_"), strings.HasPrefix(name, "irc."), strings.HasPrefix(name, "llvm."):
		refuse("define it in the module, under another name", "which is a name of irc's or LLVM's own")
	case listed && !hasTypes(g.Ctx, d.typ, types):
		refuse("declare it so, or define a function of another name", "which is libm's and has the type %s", spellTypes(types))
	case !listed && !slices.Contains(w.allowed, name):
		w.wanted = append(w.wanted, name)
		refuse("", "which the program does not define: outside of it it may call the functions of libm, and no others")
	}
}

// hasTypes compares a function's type with one of the table.
func hasTypes(c *ir.Context, t *ir.TypeInfo, types string) bool {
	all := append(slices.Clone(t.Types[t.NumIn:]), t.Types[:t.NumIn]...)
	if len(t.Types)-t.NumIn != 1 || len(all) != len(types) {
		return false
	}
	for i, x := range all {
		width := map[byte]int{'i': 32, 'l': 64}[types[i]]
		switch {
		case types[i] == 'd' && x != ir.F64, types[i] == 'f' && x != ir.F32:
			return false
		case width > 0 && !(c.Info(x).Kind == ir.KindInteger && c.Info(x).Width == width):
			return false
		}
	}
	return true
}

// spellTypes writes a type of the table as MLIR does.
func spellTypes(types string) string {
	name := map[byte]string{'d': "f64", 'f': "f32", 'i': "i32", 'l': "i64"}
	var in []string
	for i := 1; i < len(types); i++ {
		in = append(in, name[types[i]])
	}
	return "(" + strings.Join(in, ", ") + ") -> " + name[types[0]]
}
