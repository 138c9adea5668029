package inputs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/scheduler"
)

func write(t *testing.T, name, text string) string {
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReadCode(t *testing.T) {
	for name, text := range map[string]string{
		"a.in": "# a comment\n[N] -> { S[i] -> [i] : 0 <= i < N }\n[N] -> { : N <= 9 }\n{ [i] -> separate[0] }\n",
		"a.st": "domain: \"[N] -> { S[i] : 0 <= i < N }\"\nchild:\n  context: \"[N] -> { [] : N <= 9 }\"\n  child:\n    schedule: \"[{ S[i] -> [i] }]\"\n",
	} {
		c, err := ReadCode(write(t, name, text))
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.Generate()
		if err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != "for (int c0 = 0; c0 <= N - 1; c0 += 1)\n  S(c0);\n" {
			t.Errorf("%s: %s", name, got)
		}
		if got := c.Context.String(); got != "[N] -> { : N <= 9 }" && got != "[N] -> { [] : N <= 9 }" {
			t.Errorf("%s: the context %s", name, got)
		}
	}
	if _, err := ReadCode(write(t, "b.in", "{ S[i] -> [i] }")); err == nil {
		t.Error("an input of one map")
	}
}

func TestReadProblem(t *testing.T) {
	p, o, err := ReadProblem(write(t, "a.sc", "# OPTIONS: --schedule-algorithm=feautrier\ndomain: { S[i] : 0 <= i < 9 }\nvalidity: { S[i] -> S[i + 1];\n  S[i] -> S[i] }\n"))
	if err != nil || o.Algorithm != scheduler.Feautrier {
		t.Fatal(o, err)
	}
	if got := p.Validity.String(); got != "{ S[i] -> S[i + 1] }" {
		t.Error(got)
	}
}
