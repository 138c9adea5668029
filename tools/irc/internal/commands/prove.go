package commands

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/prove"
	"github.com/irc-lang/irc/passes/rule"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// rulesExt is the extension of files of rules.
const rulesExt = ".rules"

// proveAny decides what the command line names: a rule, the rules of a file, or the functions of a program.
func proveAny(s *session) error {
	arg := s.Files[0]
	if arg != "-" && !cli.Exists(arg) && strings.Contains(arg, "(") {
		return proveRules(s, diag.NewSource("<rule>", arg))
	}
	t, err := s.Read(arg)
	if err != nil {
		return err
	}
	if arg == "-" {
		arg = "<stdin>"
	}
	src := diag.NewSource(arg, t)
	if filepath.Ext(arg) == rulesExt {
		return proveRules(s, src)
	}
	return proveFunctions(s, src)
}

// patience is how long an answer is looked for: as long as -timeout says, if it does.
func patience(s *session) (b prove.Budget) {
	if s.IsSet("timeout") {
		b.Conflicts = math.MaxInt
	}
	return b
}

func proveRules(s *session, src *diag.Source) error {
	widths, err := widthsOf(s.Str("width"))
	if err != nil {
		return err
	}
	ctx := s.NewContext()
	rules, list := rule.Parse(ctx, src)
	if list.Err() != nil {
		return list.Err()
	}
	var out bytes.Buffer
	for _, r := range rules {
		answers, err := prove.Rewrite(s.Context, ctx, r, widths, patience(s))
		if len(answers) > 0 && answers[len(answers)-1].Counter != nil {
			return refuted(s, src, r.Span, &answers[len(answers)-1])
		}
		if err != nil {
			return undecided(s, r.Span, answers, err)
		}
		fmt.Fprintf(&out, "proven %s: %s\n", told(answers), strings.Join(strings.Fields(r.Text()), " "))
	}
	return s.Write(out.Bytes())
}

// widthsOf reads N or M-N.
func widthsOf(arg string) (out []int, err error) {
	from, to, several := strings.Cut(arg, "-")
	if !several {
		to = from
	}
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || a < 1 || b > 64 || a > b {
		return nil, cli.Usagef("write a width from 1 to 64, or two: -width=8, -width=1-16", "-width=%s is none", arg)
	}
	for w := a; w <= b; w++ {
		out = append(out, w)
	}
	return out, nil
}

// told says at which widths something was proven, and how.
func told(answers []prove.AtWidth) string {
	var bySAT, numbers []string
	for _, a := range answers {
		numbers = append(numbers, strconv.Itoa(a.Width))
		if a.Method == prove.SAT {
			bySAT = append(bySAT, strconv.Itoa(a.Width))
		}
	}
	out := "at width " + strings.Join(numbers, ", ")
	if n := len(answers); n > 2 && answers[n-1].Width-answers[0].Width == n-1 {
		out = fmt.Sprintf("at widths %d to %d", answers[0].Width, answers[n-1].Width)
	}
	switch {
	case len(bySAT) == len(answers):
		return out + ", by SAT"
	case len(bySAT) > 0:
		return out + ", by SAT from " + bySAT[0] + " on"
	}
	return out
}

// undecided says where proving stopped, and how to go on.
func undecided(s *session, at diag.Span, before []prove.AtWidth, err error) error {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d
	}
	var u *prove.Undecided
	if !errors.As(err, &u) {
		return err
	}
	text := u.Error()
	if len(before) > 0 {
		text += "; it is proven " + told(before)
	}
	return diag.Errorf(at, "%s", text).WithFix("-timeout=10m searches for so long; -width=4 asks about fewer bits")
}

// refuted writes a program that shows what is wrong with a rule.
func refuted(s *session, src *diag.Source, at diag.Span, a *prove.AtWidth) error {
	program, err := s.PrintIR(a.Program, src, false)
	if err != nil {
		return err
	}
	body := prove.Bodies(a.Program)["src"]
	return wrong(s, at, fmt.Sprintf("the rule is wrong at width %d: %s", a.Width, a.Counter), program+a.Counter.Calls(body))
}

// wrong writes a counterexample, and says it.
func wrong(s *session, at diag.Span, what, program string) error {
	head := "// " + what + ".\n// irc run -entry=call_src and -entry=call_tgt show it.\n"
	if err := s.Write([]byte(head + program)); err != nil {
		return err
	}
	return diag.Errorf(at, "%s", what)
}

// proveFunctions decides whether @tgt of a program may stand for @src.
func proveFunctions(s *session, src *diag.Source) error {
	ctx := s.NewContext()
	g, list := text.Parse(ctx, src, text.Options{Verbatim: true})
	if list.Err() != nil {
		return list.Err()
	}
	bodies := prove.Bodies(g)
	for _, name := range []string{"src", "tgt"} {
		if bodies[name] == nil {
			return diag.Errorf(src.At(0), "there is no function @%s with a body", name).WithFix("call the function that may be replaced @src, and what replaces it @tgt")
		}
	}
	from, _ := prove.Lookup(g, "src")
	to, _ := prove.Lookup(g, "tgt")
	a, err := prove.Refines(s.Context, prove.Question{Src: prove.Function{Body: bodies["src"], Calls: bodies},
		Tgt: prove.Function{Body: bodies["tgt"], Calls: bodies}, Budget: patience(s),
		NoPoison: funcs.IsPublic(ctx, from.Graph().AttrsOf(from.Old()))}) // whose arguments never are
	at := src.At(max(0, int(placeOf(to)&^ir.LocAttr)-1))
	switch {
	case err != nil:
		if e := (*ir.OpError)(nil); errors.As(err, &e) {
			return s.Placed(ctx, src, err)
		}
		return undecided(s, at, nil, err)
	case a.Counter != nil:
		return wrong(s, at, fmt.Sprintf("@tgt may not stand for @src: %s", a.Counter), src.Text+"\n"+a.Counter.Calls(bodies["src"]))
	}
	return s.Write(fmt.Appendf(nil, "proven: @tgt may stand for @src (%d bits of arguments, by %s)\n", a.Bits, a.Method))
}
