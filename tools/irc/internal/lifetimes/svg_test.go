package lifetimes

import (
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/passes/buffers"
)

// A shape is a rectangle of the picture.
type shape struct{ x, y, w, h float64 }

// shapes reads the rectangles of a class, and all texts.
func shapes(t *testing.T, svg string) (rects, peaks []shape, texts string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	inBuffer := false
	for {
		tok, err := d.Token()
		if tok == nil {
			if err.Error() != "EOF" {
				t.Fatal(err)
			}
			return rects, peaks, texts
		}
		switch e := tok.(type) {
		case xml.CharData:
			texts += string(e)
		case xml.EndElement:
			inBuffer = inBuffer && e.Name.Local != "g"
		case xml.StartElement:
			attr := map[string]string{}
			for _, a := range e.Attr {
				attr[a.Name.Local] = a.Value
			}
			inBuffer = inBuffer || attr["class"] == "buffer"
			if e.Name.Local != "rect" || !inBuffer && attr["class"] != "peak" {
				continue
			}
			n := func(name string) float64 {
				x, err := strconv.ParseFloat(attr[name], 64)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
			s := shape{n("x"), n("y"), n("width"), n("height")}
			if inBuffer {
				rects = append(rects, s)
			} else {
				peaks = append(peaks, s)
			}
		}
	}
}

// Rectangles are where and as large as the plan says, none meets another, and the peak is where most is needed.
func TestSVG(t *testing.T) {
	p := &buffers.Plan{Where: "in @f<g>", Bytes: 1024, Buffers: []buffers.Buffer{
		{Name: "memref<64xf64>, line 3", Size: 512, Offset: 0, First: 10, Last: 13},
		{Name: "memref<32xf64>, line 4", Size: 256, Offset: 512, First: 12, Last: 15},
		{Name: "memref<16xf64>, line 5", Size: 128, Offset: 768, First: 13, Last: 13},
		{Name: "memref<64xf64>, line 6", Size: 512, Offset: 0, First: 14, Last: 19},
	}}
	rects, peaks, texts := shapes(t, SVG("f & g", []*buffers.Plan{p}))
	if len(rects) != 4 || len(peaks) != 1 {
		t.Fatalf("%v\n%v", rects, peaks)
	}
	for i, r := range rects {
		b := p.Buffers[i]
		near := func(x, y float64) bool { return x-y < 0.02 && y-x < 0.02 }
		if !near(r.x, left+plotWide*float64(b.First-10)/10) || !near(r.w, plotWide*float64(b.Last-b.First+1)/10) || !near(r.h, plotHigh*float64(b.Size)/1024) ||
			!near(r.y+r.h, titleHigh+headHigh+plotHigh*(1-float64(b.Offset)/1024)) {
			t.Errorf("%v is %v", b, r)
		}
		for _, o := range rects[:i] {
			if r.x+0.02 < o.x+o.w && o.x+0.02 < r.x+r.w && r.y+0.02 < o.y+o.h && o.y+0.02 < r.y+r.h {
				t.Errorf("%v meets %v", r, o)
			}
		}
	}
	if at := peaks[0]; at.x != rects[2].x || at.w != rects[2].w || at.h != plotHigh {
		t.Errorf("the peak is at %v", at)
	}
	for _, want := range []string{"f & g", "in @f<g>: 4 buffers in 1,024 bytes; each on its own 1,408", "peak: 896 bytes needed at one time", "2: memref<32xf64>, line 4, 256 bytes from 512 on", "1: memref<64xf64>, line 3"} {
		if !strings.Contains(texts, want) {
			t.Errorf("no %s in\n%s", want, texts)
		}
	}
}

// Steps of axes are such that there are few.
func TestRound(t *testing.T) {
	for n, want := range map[int64]int64{1: 1, 3: 4, 5: 10, 11: 20, 41: 100, 65: 128, 1000: 1024, 1 << 40: 1 << 40} {
		if got := round(n); got != want {
			t.Errorf("%d becomes %d, want %d", n, got, want)
		}
	}
}
