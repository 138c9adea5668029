package brainf

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage/stagetest"
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
		c := stagetest.Compile[func(in, out []uint8) int](t, fn)
		c.Same([]uint8(p.in), make([]uint8, 100))
		c.Like(func(_, out []uint8) int { return copy(out, p.out) }, []uint8(p.in), make([]uint8, 100))
		if loops := strings.Count(p.source, "["); strings.Count(c.Text(), "scf.while") > loops {
			t.Errorf("%s has %d loops, the program\n%s", p.source, loops, c.Text())
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
