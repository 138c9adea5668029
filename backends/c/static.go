package c

import (
	"github.com/irc-lang/irc/backends/source"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// isStatic reports that the current allocation may be a static array, and notes that it is: its size is known, its
// memory is not used any more when the op runs again, and the function does not call itself. Such a function must not
// run twice at the same time.
func (f *function) isStatic(m *source.View) bool {
	for _, s := range m.Sizes {
		if !s.Constant {
			return false
		}
	}
	if f.e.recursive(f.Callee) || f.escapes(f.V) {
		return false
	}
	fixed := f.e.fixed[f.Callee]
	if fixed == nil {
		fixed = map[string]bool{}
		f.e.fixed[f.Callee] = fixed
	}
	fixed[m.Base.Text] = true
	return true
}

// escapes reports that memory, or a view of it, may be passed on by something other than a variable of a block.
func (f *function) escapes(v ir.Value) bool {
	for _, u := range ir.Uses(f.G).Of(v) {
		memory := false
		for _, t := range f.Ctx.Results(f.G.Type(u)) {
			memory = memory || f.IsMemory(t)
		}
		switch def := f.G.Def(u); {
		case !memory && (def == memref.Load || def == memref.Store || def == memref.Dealloc || def == memref.Copy || def == memref.Dim || def == funcs.Call):
		case memory && len(f.G.Regions(u)) == 0 && f.Ctx.DialectOf(def) == f.Ctx.DialectOf(memref.Load) && !f.escapes(u):
		default:
			return true
		}
	}
	return false
}

// recursive reports that a function may call itself.
func (e *emitter) recursive(c *source.Callee) bool {
	seen := map[*source.Callee]bool{}
	var reaches func(from *source.Callee) bool
	reaches = func(from *source.Callee) bool {
		if !from.Defined() || seen[from] {
			return false
		}
		seen[from] = true
		for v := ir.Value(1); int(v) < from.G.Len(); v++ {
			if from.G.Def(v) != funcs.Call {
				continue
			}
			to := e.Callees[e.Ctx.AttrInfo(from.G.Attr(v, "callee")).Str]
			if to == c || to != nil && reaches(to) {
				return true
			}
		}
		return false
	}
	return reaches(c)
}
