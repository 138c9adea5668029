package emit

import (
	"fmt"
	"strings"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// Omitted is a public function or global that a module does not offer, and why. The
// others of the file are compiled all the same.
type Omitted struct {
	Name string
	Err  *ir.OpError
}

// Offered omits a function whose arguments or results cannot cross a border, and one that works on numbers
// which nothing computes with. It omits what refers to an omitted function too. Ops that have no translation
// are errors instead: to lower them is the user's part.
func (e *Emitter) Offered(fs []ir.Value) (kept []ir.Value) {
	out := map[string]*ir.OpError{}
	refs := map[ir.Value][]string{}
	for _, v := range fs {
		if err := e.cannotCross(v); err != nil {
			out[funcs.NameOf(e.G, v)] = err
		} else if body := e.G.Children(v)[0]; body.HasBlock(ir.Root) {
			refs[v] = functionsIn(body)
		}
	}
	for n := -1; n != len(out); { // until none refers to one that is left out
		n = len(out)
		for _, v := range fs {
			for _, name := range refs[v] {
				if err := out[name]; err != nil && out[funcs.NameOf(e.G, v)] == nil {
					out[funcs.NameOf(e.G, v)] = err
				}
			}
		}
	}
	offered := false
	for _, v := range fs {
		name := funcs.NameOf(e.G, v)
		public := !e.isPrivate(v) && e.G.Children(v)[0].HasBlock(ir.Root)
		switch err := out[name]; {
		case err == nil:
			kept = append(kept, v)
			offered = offered || public
		case public:
			e.Omitted = append(e.Omitted, Omitted{name, err})
		}
	}
	if len(e.Omitted) > 0 && !offered {
		panic(e.Omitted[0].Err)
	}
	return kept
}

// cannotCross says why a function has no form in LLVM, or nil.
func (e *Emitter) cannotCross(v ir.Value) *ir.OpError {
	body := e.G.Children(v)[0].HasBlock(ir.Root)
	if body {
		if err := ir.CheckTypes(e.G, v); err != nil {
			return err.(*ir.OpError)
		}
	} else if name := funcs.NameOf(e.G, v); hasNUL(name) {
		return opError(e.G, v, "is called %q: nothing outside has a name with NUL", name)
	}
	t := funcs.TypeOf(e.C, e.G.AttrsOf(v))
	if _, err := e.crossing(e.G, v, "argument", t.Types[:t.NumIn]); err != nil {
		return err
	}
	_, err := e.crossing(e.G, v, "result", t.Types[t.NumIn:])
	return err
}

func (e *Emitter) isPrivate(v ir.Value) bool {
	a := e.G.Attr(v, "sym_visibility")
	return a != 0 && e.C.AttrInfo(a).Str != "public"
}

// offers reports that what v defines may be seen from outside. Symbols end at a NUL,
// so that a name with one has none.
func (e *Emitter) offers(v ir.Value, name string) bool {
	switch {
	case e.isPrivate(v):
		return false
	case hasNUL(name) && !e.Opts.Thunks && e.Gpu == nil:
		e.Omitted = append(e.Omitted, Omitted{name, opError(e.G, v, "is called %q: no symbol has a NUL in its name; rename it", name)})
		return false
	}
	return true
}

func hasNUL(name string) bool { return strings.ContainsRune(name, 0) }

// Internal is the symbol of something that only the module itself sees.
func Internal(kind, name string) string {
	const nul = "NUL."
	if hasNUL(name) || strings.HasPrefix(name, nul) {
		name = nul + strings.NewReplacer(`\`, `\\`, "\x00", `\0`).Replace(name)
	}
	return "irc." + kind + "." + name
}

// functionsIn lists the functions that a body names.
func functionsIn(g *ir.Graph) (out []string) {
	for v := range ir.ScheduleOf(g).All() {
		switch g.Def(v) {
		case funcs.Call:
			out = append(out, g.Ctx.AttrInfo(g.Attr(v, "callee")).Str)
		case funcs.Constant:
			out = append(out, g.Ctx.AttrInfo(g.Attr(v, "value")).Str)
		}
	}
	return out
}

// opError is an error at an op.
func opError(g *ir.Graph, v ir.Value, format string, args ...any) *ir.OpError {
	e := &ir.OpError{Op: g.Def(v).Name, Msg: fmt.Sprintf(format, args...)}
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}
