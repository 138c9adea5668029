package tensors

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Attention makes a function @fN of a softmax of scores and a product with values: indices in any order, sizes known or open, maps
// between that scale and mask, some with -inf. Sizes are less than most.
func Attention(seed uint64, n, most int) Program {
	r := rand.New(rand.NewPCG(seed, 81))
	elem := []string{"f64", "f32"}[r.IntN(2)]
	sizes := map[byte]int{'i': 1 + r.IntN(most), 'j': 1 + r.IntN(2*most), 'd': 1 + r.IntN(5), 'e': 1 + r.IntN(4), 'h': 1 + r.IntN(3), 'g': 1 + r.IntN(2)}
	batch := []string{"", "h", "hg"}[r.IntN(3)]
	open := map[byte]bool{}
	for _, x := range []byte("ijdehg") {
		open[x] = r.IntN(4) == 0
	}
	m := attentionMaker{r, elem, sizes, open}
	mixed, typ, data := m.mixed, m.typ, m.data
	q, k, scores, v := mixed(batch+"id"), mixed(batch+"jd"), mixed(batch+"ij"), mixed(batch+"je")
	out := mixed(batch+"i") + "e"
	mask := "ij"
	if strings.IndexByte(scores, 'j') < strings.IndexByte(scores, 'i') {
		mask = "ji"
	}
	masked := strings.HasSuffix(scores, mask) && r.IntN(2) == 0
	params, args := []string{"%q: " + typ(q), "%k: " + typ(k), "%v: " + typ(v)}, []string{data(q, false), data(k, false), data(v, false)}
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, "  "+format+"\n", a...) }
	line(`%%0 = ten.einsum "%s,%s->%s" %%q, %%k : %s, %s -> %s`, q, k, scores, typ(q), typ(k), typ(scores))
	last := "%0"
	if masked {
		params, args = append(params, "%m: "+typ(mask)), append(args, data(mask, r.IntN(2) == 0))
		line("%%1 = ten.map (%%x = %%0 : %s, %%y = %%m : %s) -> %s {", typ(scores), typ(mask), typ(scores))
		line("  %%a = arith.addf %%x, %%y : %s", elem)
		line("  ten.yield %%a : %s", elem)
		line("}")
		last = "%1"
	}
	if r.IntN(2) == 0 {
		line("%%2 = ten.map (%%x = %s : %s) -> %s {", last, typ(scores), typ(scores))
		line("  %%c = arith.constant 0.375 : %s", elem)
		line("  %%a = arith.mulf %%x, %%c : %s", elem)
		line("  ten.yield %%a : %s", elem)
		line("}")
		last = "%2"
	}
	line("%%3 = ten.softmax %s along %d : %s", last, strings.IndexByte(scores, 'j'), typ(scores))
	if r.IntN(2) == 0 {
		line(`%%4 = ten.einsum "%s,%s->%s" %%3, %%v : %s, %s -> %s`, scores, v, out, typ(scores), typ(v), typ(out))
	} else {
		line(`%%4 = ten.einsum "%s,%s->%s" %%v, %%3 : %s, %s -> %s`, v, scores, out, typ(v), typ(scores), typ(out))
	}
	text := fmt.Sprintf("func.func @f%d(%s) -> %s {\n%s  return %%4 : %s\n}\n", n, strings.Join(params, ", "), typ(out), b.String(), typ(out))
	return Program{Name: fmt.Sprintf("f%d", n), Text: text, Args: "[" + strings.Join(args, ", ") + "]"}
}

// attentionMaker makes operands, whose indices are letters with sizes that are known or open.
type attentionMaker struct {
	*rand.Rand
	elem  string
	sizes map[byte]int
	open  map[byte]bool
}

// mixed puts indices into any order.
func (m attentionMaker) mixed(s string) string {
	b := []byte(s)
	m.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return string(b)
}

// typ is the type of an operand.
func (m attentionMaker) typ(term string) string {
	out := "tensor<"
	for _, x := range []byte(term) {
		if m.open[x] {
			out += "?x"
		} else {
			out += fmt.Sprintf("%dx", m.sizes[x])
		}
	}
	return out + m.elem + ">"
}

// data is an operand, if it masks with some -inf.
func (m attentionMaker) data(term string, masks bool) string {
	if term == "" {
		if masks && m.IntN(3) == 0 {
			return `"-Infinity"`
		}
		return fmt.Sprintf("%.3f", 2*m.NormFloat64())
	}
	parts := make([]string, m.sizes[term[0]])
	for i := range parts {
		parts[i] = m.data(term[1:], masks)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
