package cli

import (
	"embed"
	"fmt"
	"github.com/irc-lang/irc/passes/pass/mliropt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
)

// completer finds what may stand in place of the last word of a command line.
type completer struct {
	prog *Program
	word string // that one, as far as it goes

	answers []answered
	files   bool // names of files may stand there
	open    bool // an answer may go on: no blank comes after it
}

type answered struct{ word, doc string }

// add is an answer if it begins as the word does.
func (c *completer) add(word, doc string) {
	if !strings.HasPrefix(word, c.word) || slices.ContainsFunc(c.answers, func(a answered) bool { return a.word == word }) {
		return
	}
	doc, _, _ = strings.Cut(doc, "\n")
	c.answers = append(c.answers, answered{word, doc})
	c.open = c.open || strings.HasSuffix(word, "=")
}

// complete reads the words before the last one as permute does.
func (c *completer) complete(words []string) {
	last := len(words) - 1
	c.word = words[last]
	var cmd *Command
	var waiting *flagDef // the flag whose value comes next
	files, ended := 0, false
	for _, w := range words[:last] {
		switch {
		case waiting != nil:
			waiting = nil
		case ended:
			files++
		case w == "--":
			ended = true
		case w == "-" || !strings.HasPrefix(w, "-"):
			if x := c.prog.findCommand(w); x != nil && cmd == nil && files == 0 {
				cmd = x
			} else {
				files++
			}
		default:
			if name, _, has := strings.Cut(bareFlag(w), "="); !has {
				waiting = c.prog.flags.findFor(cmd, name)
				if waiting != nil && (waiting.kind == boolean || waiting.bare != "") {
					waiting = nil
				}
			}
		}
	}
	switch {
	case waiting != nil:
		c.value(waiting, "")
	case strings.HasPrefix(c.word, "-") && !ended:
		c.flag(cmd, files)
	default:
		c.argument(cmd, files)
	}
}

// bareFlag is a flag without its dashes.
func bareFlag(w string) string { return strings.TrimPrefix(strings.TrimPrefix(w, "-"), "-") }

// flag completes the name of a flag, or its value. Before a command is named the flag
// may be one of any.
func (c *completer) flag(cmd *Command, files int) {
	letters := onAll
	if cmd != nil {
		letters = cmd.Letter
	} else if files > 0 {
		letters = onDriver
	}
	name, _, has := strings.Cut(bareFlag(c.word), "=")
	dashes := c.word[:len(c.word)-len(bareFlag(c.word))]
	if has {
		before := dashes + name + "="
		if f := c.prog.flags.find(name); f != nil && strings.ContainsAny(f.for_, letters) {
			c.value(f, before)
		} else if p := c.prog.Passes.Find(name); p != nil {
			c.options(p, before)
		}
		return
	}
	for i := range c.prog.flags {
		f := &c.prog.flags[i]
		if !strings.ContainsAny(f.for_, letters) {
			continue
		}
		names := []string{f.name}
		if name != "" {
			names = append(names, f.aliases...)
		}
		for _, n := range names {
			if f.kind != boolean && f.bare == "" {
				n += "="
			}
			c.add(dashes+n, f.doc)
		}
	}
	c.add(dashes+"help", "help, of the command if there is one")
	if name != "" && strings.ContainsAny(onInput, letters) {
		c.passes(dashes)
	}
}

// value completes the value of a flag, which stands after what is before it.
func (c *completer) value(f *flagDef, before string) {
	switch {
	case f.kind == boolean:
		c.add(before+"true", "")
		c.add(before+"false", "")
	case f.kind == choice:
		for _, v := range f.choices {
			if !slices.Contains(f.absent, v) {
				c.add(before+v, "")
			}
		}
	case f.name == "passes":
		c.pipeline(before)
	case f.arg == "PASS":
		c.passes(before)
	case f.arg == "FILE" || f.arg == "PATH" || f.arg == "LIB":
		c.files = true
	}
}

// pipeline completes the last pass of a pipeline, or an option of it.
func (c *completer) pipeline(before string) {
	text := c.word[len(before):]
	c.open = true
	if brace := strings.LastIndexByte(text, '{'); brace > strings.LastIndexByte(text, '}') {
		name := text[:brace]
		name = name[strings.LastIndexAny(name, ",( ")+1:]
		if p := c.prog.Passes.Find(name); p != nil {
			c.options(p, before+text[:brace+1])
		}
		return
	}
	c.passes(before + text[:strings.LastIndexAny(text, ",( ")+1])
}

func (c *completer) passes(before string) {
	for _, p := range c.prog.Passes {
		for _, name := range append([]string{p.Name}, mliropt.AliasesOf(p.Name)...) {
			doc, _, _ := strings.Cut(p.Doc, ". ")
			c.add(before+name, doc)
		}
	}
}

// options completes the last option of a list of them, or its value.
func (c *completer) options(p *pass.Info, before string) {
	text := c.word[len(before):]
	at := strings.LastIndexAny(text, " ,") + 1
	name, _, has := strings.Cut(text[at:], "=")
	before += text[:at]
	for _, o := range p.Options() {
		switch {
		case !has:
			c.add(before+o.Name+"=", o.Doc)
		case o.Name == name && o.Type == "bool":
			c.add(before+name+"=true", "")
			c.add(before+name+"=false", "")
		case o.Name == name && !o.List:
			for _, choice := range o.Choices {
				c.add(before+name+"="+choice, "")
			}
		}
	}
}

// argument completes what is no flag.
func (c *completer) argument(cmd *Command, files int) {
	switch {
	case cmd == nil:
		if files == 0 {
			c.commands()
		}
		c.files = files == 0
	case files >= cmd.Files[1] && cmd.Files[1] >= 0:
	case cmd.Name == "completion":
		for _, s := range shells {
			if files == 0 {
				c.add(s, "")
			}
		}
	case cmd.Name == "help":
		c.commands()
	case cmd.Name == "passes":
		c.passes("")
	case cmd.Name == "dialects":
		for _, d := range c.prog.Dialects {
			c.add(d.Name, d.Doc)
		}
	default:
		c.files = true
	}
}

func (c *completer) commands() {
	for _, x := range c.prog.present() {
		c.add(x.Name, x.Usage)
	}
}

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
