package main

import (
	"fmt"
	"html"
	"sort"
	"strings"

	"github.com/irc-lang/irc/tests/layers"
)

// Sizes of the picture, in pixels.
const (
	margin  = 12
	columns = 4
	boxWide = 214
	boxHigh = 74
	gap     = 8
	head    = 26 // the line with a storey's name
	lane    = 15 // an arrow at the right
	bold    = 13 // font sizes
	plain   = 11
	lines   = 3 // of text in a box
)

// em is the width of a character in parts of the font's size. Wide letters of a sans
// serif font are wider, most are not: a line of many letters is narrower than this.
const em = 0.56

// A storey is a row of rooms.
type storey struct {
	name     string
	rank     int
	packages []*pkg
	y, h     int
}

var colors = []string{"#dbeafe", "#e0e7ff", "#ede9fe", "#fce7f3", "#fef3c7", "#dcfce7", "#bbf7d0"}

// storeys groups rooms by top-level folder, the highest layer first.
func storeys(rooms []*pkg) []*storey {
	var out []*storey
	at := map[string]*storey{}
	for _, r := range rooms {
		name := storeyOf(r)
		s := at[name]
		if s == nil {
			s = &storey{name: name}
			at[name] = s
			out = append(out, s)
		}
		s.rank = max(s.rank, rankOf(name))
		s.packages = append(s.packages, r)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].rank > out[j].rank })
	y := margin
	for _, s := range out {
		n := (len(s.packages) + columns - 1) / columns
		s.y, s.h = y, head+n*(boxHigh+gap)+gap
		y += s.h + gap
	}
	return out
}

func rankOf(folder string) int {
	l, _ := layers.Of(folder)
	return l.Rank
}

// draw makes the picture.
func draw(rooms []*pkg) string {
	floors := storeys(rooms)
	wide := margin + columns*(boxWide+gap) + gap
	last := floors[len(floors)-1]
	arrows, lanes := arrowsOf(floors), 0
	for _, a := range arrows {
		lanes = max(lanes, a.lane+1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="Helvetica, Arial, sans-serif">`+"\n", wide+18+lanes*lane, last.y+last.h+margin+18)
	b.WriteString(`<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0L6 3L0 6z" fill="#475569"/></marker></defs>` + "\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for i, s := range floors {
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="%s" stroke="#475569"/>`+"\n", margin, s.y, wide-margin, s.h, colors[i%len(colors)])
		text(&b, margin+gap+2, s.y+18, bold+1, "bold", s.name)
		for k, r := range s.packages {
			box(&b, r, margin+gap+k%columns*(boxWide+gap), s.y+head+k/columns*(boxHigh+gap))
		}
	}
	for _, a := range arrows {
		a.draw(&b, wide)
	}
	text(&b, margin, last.y+last.h+20, plain, "normal", "A storey uses those below it, and a room rooms of its own storey. The arrows are the imports.")
	b.WriteString("</svg>\n")
	return b.String()
}

// box draws a room with what its doc says first, as far as it fits.
func box(b *strings.Builder, r *pkg, x, y int) {
	fmt.Fprintf(b, `<g><title>%s: %s</title><rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="white" stroke="#94a3b8"/>`+"\n",
		html.EscapeString(r.folder), html.EscapeString(r.about), x, y, boxWide, boxHigh)
	text(b, x+8, y+17, bold, "bold", fit(r.title(), boxWide-16, bold))
	for i, l := range wrap(r.about, boxWide-16, plain) {
		text(b, x+8, y+34+i*14, plain, "normal", l)
	}
	b.WriteString("</g>\n")
}

func text(b *strings.Builder, x, y, size int, weight, s string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" font-size="%d" font-weight="%s" fill="#1e293b">%s</text>`+"\n", x, y, size, weight, html.EscapeString(s))
}

// fit cuts a text to a width.
func fit(s string, wide, size int) string {
	if n := fits(wide, size); len([]rune(s)) > n {
		return string([]rune(s)[:n-1]) + "…"
	}
	return s
}

// fits is how many characters a width has room for.
func fits(wide, size int) int { return int(float64(wide) / (em * float64(size))) }

// wrap breaks a text into the lines that a box has room for; what it has not, goes by
// words.
func wrap(s string, wide, size int) []string {
	n := fits(wide, size)
	var out []string
	for _, w := range strings.Fields(s) {
		k := len(out) - 1
		switch {
		case k >= 0 && width(out[k])+1+width(w) <= n:
			out[k] += " " + w
		case len(out) == lines:
			last := strings.Fields(out[k])
			for width(out[k])+2 > n && len(last) > 1 {
				last = last[:len(last)-1]
				out[k] = strings.Join(last, " ")
			}
			out[k] = strings.TrimRight(out[k], ",:;") + " …"
			return out
		default:
			out = append(out, fit(w, wide, size))
		}
	}
	return out
}

func width(s string) int { return len([]rune(s)) }

// An arrow says that a storey imports a lower one. It runs down in a lane of its own
// at the right.
type arrow struct {
	from, to *storey
	y0, y1   int
	lane     int
}

// arrowsOf finds what imports what, and where the arrows go. A storey's ends are its
// arrows' in the order that crosses least: what ends nearest stands nearest.
func arrowsOf(floors []*storey) []*arrow {
	var out []*arrow
	for i, from := range floors {
		uses := map[string]bool{}
		for _, r := range from.packages {
			for to := range r.imports {
				top, _, _ := strings.Cut(to, "/")
				uses[top] = true
			}
		}
		for j, to := range floors[i+1:] {
			if uses[to.name] {
				step := func(s *storey) int { return min(12, (s.h-20)/len(floors)) * j }
				out = append(out, &arrow{from: from, to: to, y0: from.y + from.h - 10 - step(from), y1: to.y + 10 + step(to)})
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].y1-out[i].y0 < out[j].y1-out[j].y0 })
	for i, a := range out {
		taken := map[int]bool{}
		for _, o := range out[:i] {
			if o.y0 < a.y1 && a.y0 < o.y1 {
				taken[o.lane] = true
			}
		}
		for taken[a.lane] {
			a.lane++
		}
	}
	return out
}

func (a *arrow) draw(b *strings.Builder, x int) {
	fmt.Fprintf(b, `<g><title>%s imports %s</title><path d="M%d %dH%dV%dH%d" fill="none" stroke="#475569" marker-end="url(#tip)"/></g>`+"\n",
		a.from.name, a.to.name, x, a.y0, x+18+a.lane*lane, a.y1, x+2)
}
