package text

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

func seeds(f *testing.F) {
	for _, file := range append(testFiles(f), "testdata/errors/cases.mlir") {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range Split(diag.NewSource(file, string(src)), SplitMarker) {
			f.Add(part.Text)
		}
	}
	f.Add(`%0 = t.seg x %c [%a, %b] with %b flag n = 3 ; {u} : i32, i32, i32 -> i32`)
	f.Add(`t.wrap "w" { t.end {a} } {b}`)
}

// Any text gives a graph or a diagnostic.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		for _, opts := range []Options{verbatim, {AllowUnregistered: true}, {}} {
			g, errs := Parse(miniContext(), diag.NewSource("in", src), opts)
			if (g == nil) != (errs.Err() != nil) {
				t.Fatalf("graph: %v, errors: %v", g != nil, errs)
			}
			_ = errs.Error()
		}
	})
}

// What is printed is read again and printed the same.
func FuzzRoundTrip(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		for _, opts := range []Options{verbatim, {AllowUnregistered: true}} {
			g, errs := Parse(miniContext(), diag.NewSource("in", src), opts)
			if errs.Err() != nil {
				continue
			}
			for _, form := range []PrintOptions{{Generic: true}, {}, {Generic: true, DebugInfo: true}} {
				one := String(g, form)
				h, errs := Parse(miniContext(), diag.NewSource("printed", one), opts)
				if errs.Err() != nil {
					t.Fatalf("%+v: not read: %v\n%s", form, errs, one)
				}
				if two := String(h, form); one != two && !form.DebugInfo {
					t.Fatalf("%+v: printed\n%s\nread and printed\n%s", form, one, two)
				}
			}
		}
	})
}
