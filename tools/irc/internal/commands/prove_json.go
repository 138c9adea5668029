package commands

import (
	"errors"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/prove"
	"github.com/irc-lang/irc/passes/rule"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// A verdict is what `irc prove -json` says of a rule, or of two functions.
type verdict struct {
	Rule    string   `json:"rule,omitempty"`
	Line    int      `json:"line,omitempty"`
	Answer  string   `json:"answer"`
	Widths  []int    `json:"widths,omitempty"` // at which it is proven
	Bits    int      `json:"bits,omitempty"`   // of arguments of functions
	Method  string   `json:"method,omitempty"`
	Counter *counter `json:"counterexample,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// The answers.
const (
	proven    = "proven"
	refuting  = "refuted"
	undecided = "undecided"
)

// A counter is a counterexample.
type counter struct {
	Width     int        `json:"width,omitempty"`
	Arguments []argument `json:"arguments"`
	Src       string     `json:"src,omitempty"` // nothing where it may choose
	Tgt       string     `json:"tgt"`
	Program   string     `json:"program"`
}

type argument struct {
	Name  string `json:"name,omitempty"`
	Value string `json:"value"`
}

// verdictOf is that of a rule. The text of a counterexample is made by program.
func verdictOf(r *rule.Rule, answers []prove.AtWidth, err error, program func(a *prove.AtWidth) (string, error)) (verdict, error) {
	line, _ := r.Span.Source.Position(r.Span.Start)
	v := verdict{Rule: r.Line(), Line: line, Answer: proven}
	for i := range answers {
		a := &answers[i]
		if v.Method = string(a.Method); a.Counter == nil {
			v.Widths = append(v.Widths, a.Width)
			continue
		}
		text, err := program(a)
		if err != nil {
			return v, err
		}
		v.Answer, v.Counter = refuting, counterOf(a.Counter, text)
		v.Counter.Width = a.Width
	}
	if err != nil {
		v.Answer, v.Reason = undecided, reason(err)
	}
	return v, nil
}

// reason is an error without its place.
func reason(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d.Message
	}
	return err.Error()
}

func counterOf(x *prove.Counterexample, program string) *counter {
	out := &counter{Arguments: []argument{}, Src: x.Src, Tgt: x.Tgt, Program: program}
	for i, a := range x.Args {
		arg := argument{Value: a.String()}
		if i < len(x.Names) {
			arg.Name = x.Names[i]
		}
		out.Arguments = append(out.Arguments, arg)
	}
	return out
}

// tell writes verdicts. The error is that of the first that is none of proof.
func (s *session) tell(list []verdict, failed error) error {
	data, err := jsontext.Encode(list)
	if err == nil {
		err = s.Write(append(data, '\n'))
	}
	if err != nil {
		return err
	}
	return failed
}
