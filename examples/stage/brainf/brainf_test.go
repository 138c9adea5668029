package brainf

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	m.Run()
}

func TestPrograms(t *testing.T) {
	for _, p := range []struct{ source, in, out string }{
		{"++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.", "", "Hello World!\n"},
		{",[.,]", "what is read", "what is read"},
		{"comments, and nothing [else]", "", ""},
		{",>,[<+>-]<.", "\x03\x04", "\x07"},
		{">,[>,]<[.<]", "drawer", "reward"},
	} {
		fn, err := Program(p.source)
		if err != nil {
			t.Fatal(err)
		}
		c, err := stage.Compile[func(in, out []uint8) int](t.Context(), "main", fn)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]uint8, 100)
		if n := c.Call([]uint8(p.in), out); string(out[:n]) != p.out {
			t.Errorf("%s writes %q, want %q\n%s", p.source, out[:n], p.out, c.Text())
		}
		if loops := strings.Count(p.source, "["); strings.Count(c.Text(), "scf.while") > loops {
			t.Errorf("%s has %d loops, the program\n%s", p.source, loops, c.Text())
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRefused(t *testing.T) {
	for source, says := range map[string]string{"+]": "the ] at byte 1 closes nothing", "[[]": "the [ at byte 0 is not closed"} {
		if _, err := Program(source); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
