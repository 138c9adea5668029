package syntax

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

// FuzzParse checks that no text makes the parser panic or hang, and that what it
// accepts is printed and read back as the same tree.
func FuzzParse(f *testing.F) {
	for _, name := range examples(f) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), false)
	}
	f.Add("var x[N,2], y; data { z <- 1:n-1 } model m { x[,1] ~ dnorm(-a^-b, !c) T(,1) for(i in v){log(q)<-.5} }", true)
	f.Add("model { a <- b <- c( ) [ ] { } ~ T( \xff 1e 17L }", false)
	f.Fuzz(func(t *testing.T, text string, jags bool) {
		opts := Options{}
		if jags {
			opts.Dialect = JAGS
		}
		p, list := Parse(diag.NewSource("m", text), opts)
		_ = list.Error()
		printed := Print(p) // of a partial tree, too
		if list.Err() != nil || len(text) > 2*diag.MaxNesting {
			return
		}
		for _, d := range []Dialect{BUGS, JAGS} {
			q, list := Parse(diag.NewSource("printed", printed), Options{d})
			if err := list.Err(); err != nil {
				t.Fatalf("%q: printed\n%s\n%v", text, printed, err)
			}
			if programTree(p) != programTree(q) {
				t.Fatalf("%q: printed\n%s\nread back as\n%s", text, printed, programTree(q))
			}
		}
	})
}
