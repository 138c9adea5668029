package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// Options of bands are a set as in isl: atomic[i], separate[i] and unroll[i] with the
// members i that they are for, [isolate[] -> unroll[i]] where those are isolated, and
// isolate[[outer members] -> [members]] with what is.

// setOptions reads them.
func (b *BandData) setOptions(s presburger.Set) (err error) {
	defer unwind.To(&err)
	for _, o := range s.Sets() {
		t := o.Tuple()
		first, second, pair := t.Pair()
		switch {
		case pair && t.Name() == "isolate":
			if second.Len() != len(b.Members) {
				return fmt.Errorf("%d members are isolated of a band of %d", second.Len(), len(b.Members))
			}
			b.Isolate = o
		case pair && first.Name() == "isolate" && first.Len() == 0:
			b.setLoops(o, second, true)
		case !pair:
			b.setLoops(o, t, false)
		default:
			return fmt.Errorf("unknown option %s", o)
		}
	}
	return nil
}

// setLoops sets one option of those members whose number is in o.
func (b *BandData) setLoops(o presburger.Set, t presburger.Tuple, isolated bool) {
	k := slices.Index(loopNames[:], t.Name())
	if k <= 0 || t.Len() != 1 {
		panic(unwind.Failed(fmt.Errorf("unknown option %s; there are atomic, separate, unroll and isolate", o)))
	}
	for i := range b.Members {
		if unwind.Must(o.Fix(0, presburger.NewInt(int64(i))).IsEmpty()) {
			continue
		}
		to := &b.Members[i].Loop
		if isolated {
			to = &b.Members[i].Isolated
		}
		if *to != Default {
			panic(unwind.Failed(fmt.Errorf("member %d is to be %s and %s", i, *to, Loop(k))))
		}
		*to = Loop(k)
	}
}

// optionsText writes them; nothing if there are none.
func (b BandData) optionsText() string {
	var parts []string
	params := ""
	if _, ok := b.isolated(); ok {
		text := b.Isolate.String()
		i := strings.IndexByte(text, '{')
		params = text[:i]
		parts = append(parts, strings.TrimSpace(text[i+1:len(text)-1]))
	}
	for i, x := range b.Members {
		if x.Loop != Default {
			parts = append(parts, fmt.Sprintf("%s[%d]", x.Loop, i))
		}
	}
	for i, x := range b.Members {
		if x.Isolated != Default {
			parts = append(parts, fmt.Sprintf("[isolate[] -> %s[%d]]", x.Isolated, i))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return params + "{ " + strings.Join(parts, "; ") + " }"
}
