package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// String writes the tree in YAML, a line for each key.
func (n *Node) String() string {
	var b strings.Builder
	n.write(&b, "", "")
	return b.String()
}

// write puts first before the first line and indent before the others.
func (n *Node) write(b *strings.Builder, first, indent string) {
	line := func(key, value string) {
		fmt.Fprintf(b, "%s%s: %s\n", first, key, value)
		first = indent
	}
	switch n.kind {
	case Leaf:
		line("leaf", "")
		return
	case Sequence, Set:
		fmt.Fprintf(b, "%s%s:\n", first, n.kind)
		for _, c := range n.children {
			c.write(b, indent+"- ", indent+"  ")
		}
		return
	case Domain, Context, Guard, Filter:
		line(n.kind.String(), strconv.Quote(n.set.String()))
	case Mark:
		line("mark", strconv.Quote(n.name))
	case Extension:
		line("extension", strconv.Quote(n.rel.String()))
	case Expansion:
		line("contraction", strconv.Quote(n.contraction.String()))
		line("expansion", strconv.Quote(n.rel.String()))
	case Band:
		n.bands.write(line)
	}
	if c := n.children[0]; c.kind != Leaf {
		fmt.Fprintf(b, "%schild:\n", indent)
		c.write(b, indent+"  ", indent+"  ")
	}
}

func (b BandData) write(line func(key, value string)) {
	parts, flags := make([]string, len(b.Members)), make([]string, len(b.Members))
	params, coincident := "", false
	var all []string
	for _, x := range b.Members {
		all = x.Function.AlignParams(all...).Params()
	}
	for i, x := range b.Members {
		text := functionText(x.Function.AlignParams(all...))
		brace := strings.IndexByte(text, '{')
		params, parts[i] = text[:brace], text[brace:]
		flags[i] = "0"
		if x.Coincident {
			flags[i], coincident = "1", true
		}
	}
	line("schedule", strconv.Quote(params+"["+strings.Join(parts, ", ")+"]"))
	if b.Permutable {
		line("permutable", "1")
	}
	if coincident {
		line("coincident", "[ "+strings.Join(flags, ", ")+" ]")
	}
	if o := b.optionsText(); o != "" {
		line("options", strconv.Quote(o))
	}
}

// functionText writes a single-valued map with the values in the place of dimensions,
// and any other as a map.
func functionText(m presburger.Map) string {
	var parts []string
	params := ""
	for _, p := range m.Maps() {
		f, err := p.AsPwMultiAff()
		if err != nil {
			return m.String()
		}
		text := f.String()
		i := strings.IndexByte(text, '{')
		params = text[:i]
		parts = append(parts, strings.TrimSpace(text[i+1:len(text)-1]))
	}
	if len(parts) == 0 {
		return m.String()
	}
	return params + "{ " + strings.Join(parts, "; ") + " }"
}
