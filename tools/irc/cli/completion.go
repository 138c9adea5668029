package cli

import (
	"embed"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// shells are those that there is completion for, in the order of their names.
var shells = []string{"bash", "fish", "zsh"}

//go:embed shells
var scripts embed.FS

// completion writes the script of a shell. The script runs irc again, with the words
// of a command line up to the cursor, for what may stand in place of the last one.
func completion(s *Session) error {
	shell := s.Files[0]
	script, err := scripts.ReadFile("shells/irc." + shell)
	if err != nil {
		near := diag.Nearest(shell, shells)
		if near != "" {
			near = "did you mean " + near + "?"
		} else {
			near = "there are " + strings.Join(shells, ", ")
		}
		return Usagef(near, "no completion for %q", shell)
	}
	if len(s.Files) == 1 {
		return s.Write(script)
	}
	c := &completer{prog: s.Program}
	c.complete(s.Files[1:])
	return s.Write([]byte(c.answer()))
}

// answer is what the scripts read: a line a word, with a tab before what it means;
// :files if files may stand there, and :nospace if a word may go on.
func (c *completer) answer() string {
	var b strings.Builder
	for _, a := range c.answers {
		fmt.Fprintf(&b, "%s\t%s\n", a.word, a.doc)
	}
	if c.files {
		b.WriteString(":files\n")
	}
	if c.open {
		b.WriteString(":nospace\n")
	}
	return b.String()
}
