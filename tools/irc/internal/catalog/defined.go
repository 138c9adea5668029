package catalog

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// A Defined is a type or an attribute of a dialect.
type Defined struct {
	Name   string   `json:"name"` // as in text, with ! or #
	Doc    string   `json:"doc"`
	Form   string   `json:"form"` // how it is written: $x is a parameter
	Params []string `json:"-"`    // what each is
}

func definedOf(d *ir.Dialect) []Defined {
	out := []Defined{}
	for _, x := range d.Types {
		out = append(out, describeShape("!", x.Shape()))
	}
	for _, x := range d.Attrs {
		out = append(out, describeShape("#", x.Shape()))
	}
	return out
}

func describeShape(sigil string, s *ir.Shape) Defined {
	d := Defined{Name: sigil + s.Name, Doc: s.Doc, Form: sigil + s.Name + plain(text.Notation(s))}
	for _, p := range s.Params {
		what := p.Kind.String()
		if len(p.Words) > 0 {
			what = strings.Join(p.Words, " or ")
		}
		if p.Optional {
			what += ", may be left out"
		}
		d.Params = append(d.Params, fmt.Sprintf("$%s: %s", p.Name, what))
	}
	return d
}

// plain is a format without its quotes, spaced as it is printed.
func plain(format string) string {
	return strings.NewReplacer("`", "", "< ", "<", " >", ">", " ,", ",", "[ ", "[", " ]", "]").Replace(strings.ReplaceAll(format, "`", ""))
}
