package cli

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// rows are the cells of the table below a heading of docs/irc.md.
func rows(t *testing.T, heading string) (out [][]string) {
	t.Helper()
	page, err := os.ReadFile("../../../../docs/irc.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("docs/irc.md has no %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "|\n"), `\|`, "\x00"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "\x00", "|"))
		}
		out = append(out, cells)
	}
	return out
}

// listed are the driver and the commands that work.
func listed() []*Command {
	p := testProgram()
	return append([]*Command{p.driver()}, p.present()...)
}

// docs/irc.md has every command as its synopsis says, and no other.
func TestCommandsAreDocumented(t *testing.T) {
	var want, got []string
	for _, c := range listed() {
		want = append(want, "`"+strings.TrimPrefix(c.synopsis(), "usage: ")+"`")
	}
	for _, r := range rows(t, "## Commands") {
		if got = append(got, r[0]); r[1] == "" {
			t.Errorf("docs/irc.md does not say what %s does", r[0])
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/irc.md has the commands\n  %s\nand irc\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// docs/irc.md has every flag with its names, values, commands and default, and no
// other.
func TestFlagsAreDocumented(t *testing.T) {
	documented := map[string][]string{}
	for _, r := range rows(t, "## Flags") {
		name, _, _ := strings.Cut(r[0], " `")
		documented[strings.TrimLeft(strings.Trim(name, "`"), "-")] = r
	}
	known := map[string]bool{}
	table := testProgram().flags
	for i := range table {
		f := &table[i]
		form, cells := f.form(), f.row()
		known[form] = true
		r := documented[form]
		switch {
		case r == nil:
			t.Errorf("docs/irc.md lacks the flag: | %s | %s |", strings.Join(cells, " | "), f.doc)
		case !slices.Equal(r[:len(cells)], cells):
			t.Errorf("docs/irc.md says\n  %s\nand irc\n  %s", strings.Join(r[:len(cells)], " | "), strings.Join(cells, " | "))
		case r[len(cells)] == "":
			t.Errorf("docs/irc.md does not say what -%s means", f.name)
		case strings.HasPrefix(f.doc, asMLIR) != strings.HasPrefix(r[len(cells)], "no effect: "):
			t.Errorf("docs/irc.md and irc disagree whether -%s has an effect", f.name)
		}
	}
	for form := range documented {
		if !known[form] {
			t.Errorf("docs/irc.md has the flag -%s, and irc has not", form)
		}
	}
}

// form is a flag with its value, without the dash.
func (f *flagDef) form() string {
	form := f.name
	switch {
	case len(f.choices) > 0:
		form += "=" + strings.Join(f.choices, "|")
	case f.kind == maybe:
		form += "[=" + f.arg + "]"
	case f.kind != boolean:
		form += "=" + f.arg
	}
	if f.kind == list {
		form += " ..."
	}
	return form
}

// row is what docs/irc.md says of a flag but for its meaning.
func (f *flagDef) row() []string {
	names := []string{"`-" + f.form() + "`"}
	for _, a := range f.aliases {
		names = append(names, "`-"+a+"`")
	}
	var of []string
	for _, c := range listed() {
		switch {
		case !strings.Contains(f.for_, c.Letter):
		case c.isDriver():
			of = append(of, "irc")
		default:
			of = append(of, c.Name)
		}
	}
	def := ""
	if f.def != "" {
		def = "`" + f.def + "`"
	}
	where := strings.Join(of, ", ")
	switch {
	case len(of) == len(listed()):
		where = "all"
	case f.for_ == onInput:
		where = "programs"
	case f.for_ == onPasses:
		where = "passes"
	case f.for_ == onModels:
		where = "models"
	}
	return []string{strings.Join(names, " "), where, def}
}
