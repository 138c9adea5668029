package llvm

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/ir"
)

// A Width is what the code of loops computes with.
type Width struct {
	Lanes int    // of the widest vectors; 1 are scalars
	Type  string // of their elements, as LLVM spells it; "" if the loop neither computes nor moves numbers
}

var (
	placed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(!\d+) = !\{!"` + emit.PlaceHint + `", i32 (\d+)\}`)
	})
	ofLoop     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(!\d+) = distinct !\{(.*)\}`) })
	latches    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`!llvm\.loop (!\d+)`) })
	labels     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`label %([\w$.-]+|"[^"]*")`) })
	label      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([\w$.-]+|"[^"]*"):`) })
	arithmetic = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`= (?:tail |notail )?(?:f(?:add|sub|mul|div|neg|cmp)|add|sub|mul|load|call)\b[^<(@]*?(?:<(\d+) x (double|float|half|bfloat|i\d+)>|\b(double|float|half|bfloat)\b)|^ *store (?:<(\d+) x (double|float|half|bfloat|i\d+)>|(double|float|half|bfloat) )`)
	})
)

// Widths reads in a module that was made with Places, as LLVM has optimised it, what the loops compute with in which an op of
// each place stands: the widest vectors that stand in the loop and in none in it. A loop that is gone, since it is straight-line code now, is not
// there; the remainder of a loop of vectors does not count beside that.
func Widths(module string) map[ir.Loc]Width {
	places, of := map[string]ir.Loc{}, map[string][]ir.Loc{}
	lines := strings.Split(module, "\n")
	for _, l := range lines {
		if m := placed().FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[2])
			places[m[1]] = ir.Loc(n)
		}
	}
	for _, l := range lines {
		if m := ofLoop().FindStringSubmatch(l); m != nil {
			for _, field := range strings.Split(m[2], ", ") {
				if at := places[field]; at != 0 {
					of[m[1]] = append(of[m[1]], at)
				}
			}
		}
	}
	out := map[ir.Loc]Width{}
	var f *flow
	for _, l := range lines {
		switch {
		case strings.HasPrefix(l, "define "):
			f = &flow{index: map[string]int{}}
			f.begin("")
		case l == "}" && f != nil:
			f.widths(of, out)
			f = nil
		case f != nil:
			f.line(l)
		}
	}
	return out
}

// A flow is the blocks of a function, as they stand in the text.
type flow struct {
	blocks []*codeBlock
	index  map[string]int
}

type codeBlock struct {
	next  []string
	loop  string // metadata of its branch
	width Width
}

func (f *flow) begin(name string) {
	f.index[name] = len(f.blocks)
	f.blocks = append(f.blocks, &codeBlock{})
}

// line reads a line of a body.
func (f *flow) line(l string) {
	if m := label().FindStringSubmatch(l); m != nil {
		if len(f.blocks) == 1 && len(f.index) == 1 && f.blocks[0].next == nil && f.blocks[0].width == (Width{}) {
			f.index[m[1]] = 0 // the label of the first block
			return
		}
		f.begin(m[1])
		return
	}
	b := f.blocks[len(f.blocks)-1]
	trimmed := strings.TrimSpace(l)
	if strings.HasPrefix(trimmed, "br ") || strings.HasPrefix(trimmed, "switch ") || strings.HasPrefix(trimmed, "i") && strings.Contains(trimmed, ", label %") {
		for _, m := range labels().FindAllStringSubmatch(l, -1) {
			b.next = append(b.next, m[1])
		}
		if m := latches().FindStringSubmatch(l); m != nil {
			b.loop = m[1]
		}
		return
	}
	m := arithmetic().FindStringSubmatch(l)
	switch {
	case m == nil:
	case m[1] != "":
		b.width.widen(m[1], m[2])
	case m[3] != "":
		b.width.widen("1", m[3])
	case m[4] != "":
		b.width.widen(m[4], m[5])
	case m[6] != "":
		b.width.widen("1", m[6])
	}
}

// widen takes note of vectors; floats count more than integers, which may be masks or indices.
func (w *Width) widen(lanes, elem string) {
	n, _ := strconv.Atoi(lanes)
	if w.Type == "" || n > w.Lanes && !(isFloatName(w.Type) && !isFloatName(elem)) || isFloatName(elem) && !isFloatName(w.Type) {
		w.Lanes, w.Type = n, elem
	}
}

func isFloatName(s string) bool { return s != "" && s[0] != 'i' }

// widths notes what each marked loop computes with: the blocks from which its branch back is reached, without those of
// loops in it.
func (f *flow) widths(of map[string][]ir.Loc, out map[ir.Loc]Width) {
	before := make([][]int, len(f.blocks))
	for i, b := range f.blocks {
		for _, n := range b.next {
			if j, ok := f.index[n]; ok {
				before[j] = append(before[j], i)
			}
		}
	}
	var loops []map[int]bool
	var at [][]ir.Loc
	for i, b := range f.blocks {
		if b.loop == "" || of[b.loop] == nil {
			continue
		}
		head := -1 // the first block in the text of those that it branches to
		for _, n := range b.next {
			if j, ok := f.index[n]; ok && j <= i && (head < 0 || j < head) {
				head = j
			}
		}
		if head < 0 {
			continue
		}
		in, todo := map[int]bool{head: true}, []int{i}
		for len(todo) > 0 {
			j := todo[len(todo)-1]
			if todo = todo[:len(todo)-1]; !in[j] {
				in[j] = true
				todo = append(todo, before[j]...)
			}
		}
		loops, at = append(loops, in), append(at, of[b.loop])
	}
	for k, in := range loops {
		inner := map[int]bool{}
		for m, other := range loops {
			if m == k || len(other) >= len(in) {
				continue
			}
			for j := range other {
				inner[j] = true
			}
		}
		for _, place := range at[k] {
			w := out[place]
			for j := range in {
				if x := f.blocks[j].width; !inner[j] && x.Type != "" {
					w.widen(strconv.Itoa(x.Lanes), x.Type)
				}
			}
			out[place] = w
		}
	}
}
