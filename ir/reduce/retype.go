package reduce

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// retypes gives the whole program a simpler type in the place of another, wherever
// that stands: types are bound to each other along all uses, so that no smaller step
// would be valid. It is done to the text; reading it says what fits.
func (r *reducer) retypes() {
	for r.more() {
		c := r.g.Ctx
		var all [][2]string
		seen := map[ir.Type]bool{}
		note := func(t ir.Type) {
			if !seen[t] {
				seen[t] = true
				for _, x := range simplerTypes(c, t) {
					all = append(all, [2]string{text.TypeString(c, t), text.TypeString(c, x)})
				}
			}
		}
		eachType(r.g, note)
		n := r.first(len(all), func(i int) (candidate, bool) {
			return r.reread(replaceWord(r.best, all[i][0], all[i][1]))
		})
		if n == len(all) {
			return
		}
	}
}

// eachType visits the types of all values.
func eachType(g *ir.Graph, f func(ir.Type)) {
	for _, s := range sites(g) {
		for _, t := range s.types() {
			f(t)
		}
		for _, r := range s.g.Regions(s.v) {
			for _, p := range s.g.Params(r) {
				f(s.g.Type(p))
			}
		}
		for _, c := range s.g.Children(s.v) {
			for _, p := range c.Params(ir.Root) {
				f(c.Type(p))
			}
		}
	}
}

// simplerTypes lists types that weigh less: shorter numbers, no layout, extents of
// one, simpler elements, the element itself.
func simplerTypes(c *ir.Context, t ir.Type) (out []ir.Type) {
	info := *c.Info(t)
	switch info.Kind {
	case ir.KindInteger:
		for _, w := range []int{1, 8, 32} {
			x := info
			if x.Width = w; w < info.Width {
				out = append(out, c.Type(x))
			}
		}
	case ir.KindFloat:
		if info.Width > 32 {
			out = append(out, ir.F32)
		}
	case ir.KindVector, ir.KindTensor, ir.KindMemRef:
		out = append(out, info.Elem)
		for _, e := range simplerTypes(c, info.Elem) {
			x := info
			x.Elem = e
			out = append(out, c.Type(x))
		}
		if info.Layout != 0 || info.Space != 0 {
			x := info
			x.Layout, x.Space = 0, 0
			out = append(out, c.Type(x))
		}
		for i, n := range info.Shape {
			if n != 1 {
				x := info
				x.Shape = append([]int64(nil), info.Shape...)
				x.Shape[i] = 1
				out = append(out, c.Type(x))
			}
		}
	}
	return out
}

// replaceWord replaces each old that is no part of a longer word.
func replaceWord(s, old, new string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, old)
		if i < 0 {
			return b.String() + s
		}
		end := i + len(old)
		b.WriteString(s[:i])
		if inWord(s[:i]) || end < len(s) && wordChar(s[end]) {
			b.WriteString(old)
		} else {
			b.WriteString(new)
		}
		s = s[end:]
	}
}

// inWord reports a text in whose last word whatever follows would be; the x after
// an extent, as in 8xi32, ends a word.
func inWord(s string) bool {
	if n := len(s); n >= 2 && s[n-1] == 'x' && (s[n-2] == '?' || s[n-2] >= '0' && s[n-2] <= '9') {
		return false
	}
	return s != "" && wordChar(s[len(s)-1])
}

func wordChar(c byte) bool {
	return c == '_' || c == '%' || c == '@' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
