package main

import (
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"
)

func TestDrawingIsOfThisHouse(t *testing.T) {
	rooms, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../docs/architecture.svg")
	if err != nil {
		t.Fatal(err)
	}
	got := draw(rooms)
	if got != string(want) {
		t.Error("docs/architecture.svg is not of this tree: run `make docs`")
	}
	for _, folder := range []string{"device", "poly/presburger", "cuda", "engine", "target"} {
		if !strings.Contains(got, ">"+folder+"</text>") {
			t.Errorf("no room %s", folder)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(got)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// No line is wider than its box, nor are there more than the box is high.
func TestTextFits(t *testing.T) {
	long := strings.Repeat("a word, another; ", 30) + strings.Repeat("w", 200)
	for _, s := range []string{"", "short", long, strings.Repeat("w", 200) + " " + long} {
		got := wrap(s, boxWide-16, plain)
		if len(got) > lines || 34+(len(got)-1)*14 > boxHigh {
			t.Errorf("%d lines", len(got))
		}
		for _, l := range got {
			if float64(width(l))*em*plain > boxWide-16 {
				t.Errorf("too wide: %q", l)
			}
		}
	}
}

// Arrows in one lane stand apart, and each storey is under the one before.
func TestArrowsDoNotOverlap(t *testing.T) {
	rooms, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	floors := storeys(rooms)
	for i, s := range floors[1:] {
		if s.y < floors[i].y+floors[i].h {
			t.Errorf("%s overlaps %s", s.name, floors[i].name)
		}
	}
	list := arrowsOf(floors)
	if len(list) < 10 {
		t.Errorf("%d arrows", len(list))
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if a.lane == b.lane && a.y0 < b.y1 && b.y0 < a.y1 {
				t.Errorf("%s-%s and %s-%s share a lane", a.from.name, a.to.name, b.from.name, b.to.name)
			}
		}
	}
}
