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
	if s.Flag("json") {
		return proveEach(s, ctx, src, rules, widths)
	}
	var out bytes.Buffer
	for _, r := range rules {
		answers, err := prove.Rewrite(s.Context, ctx, r, widths, patience(s))
		if a := wrongOf(answers); a != nil {
			return refuted(s, src, r.Span, a)
		}
		if err != nil {
			return unknown(r.Span, answers, err)
		}
		fmt.Fprintf(&out, "proven %s: %s\n", told(answers), r.Line())
	}
	return s.Write(out.Bytes())
}

// wrongOf is the answer with a counterexample; nil if there is none.
func wrongOf(answers []prove.AtWidth) *prove.AtWidth {
	if n := len(answers); n > 0 && answers[n-1].Counter != nil {
		return &answers[n-1]
	}
	return nil
}

// proveEach says of each rule what is known of it, whatever is known of those before it.
func proveEach(s *session, ctx *ir.Context, src *diag.Source, rules []*rule.Rule, widths []int) error {
	var list []verdict
	var failed error
	for _, r := range rules {
		answers, err := prove.Rewrite(s.Context, ctx, r, widths, patience(s))
		v, wrong := verdictOf(r, answers, err, func(a *prove.AtWidth) (string, error) { return shown(s, src, a) })
		if wrong != nil {
			return wrong
		}
		if list = append(list, v); failed != nil {
			continue
		}
		if a := wrongOf(answers); a != nil {
			failed = diag.Errorf(r.Span, "%s", refutation(a))
		} else if err != nil {
			failed = unknown(r.Span, answers, err)
		}
	}
	return s.tell(list, failed)
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

// unknown says where proving stopped, and how to go on.
func unknown(at diag.Span, before []prove.AtWidth, err error) error {
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
	program, err := shown(s, src, a)
	if err != nil {
		return err
	}
	return wrong(s, at, refutation(a), program)
}

// refutation says in a sentence what is wrong with a rule.
func refutation(a *prove.AtWidth) string {
	return fmt.Sprintf("the rule is wrong at width %d: %s", a.Width, a.Counter)
}

// shown is the program that shows it.
func shown(s *session, src *diag.Source, a *prove.AtWidth) (string, error) {
	program, err := s.PrintIR(a.Program, src, false)
	return program + a.Counter.Calls(prove.Bodies(a.Program)["src"]), err
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
	if e := (*ir.OpError)(nil); errors.As(err, &e) {
		err = s.Placed(ctx, src, err)
	}
	return functionsTold(s, src, at, a, err, bodies["src"])
}

// functionsTold says whether @tgt, which stands at a place, may stand for @src.
func functionsTold(s *session, src *diag.Source, at diag.Span, a *prove.Answer, err error, body *ir.Graph) error {
	switch {
	case err != nil && s.Flag("json"):
		return s.tell([]verdict{{Answer: undecided, Reason: reason(err)}}, unknown(at, nil, err))
	case err != nil:
		return unknown(at, nil, err)
	case a.Counter != nil:
		what, program := fmt.Sprintf("@tgt may not stand for @src: %s", a.Counter), src.Text+"\n"+a.Counter.Calls(body)
		if s.Flag("json") {
			return s.tell([]verdict{{Answer: refuting, Bits: a.Bits, Method: string(a.Method), Counter: counterOf(a.Counter, program)}}, diag.Errorf(at, "%s", what))
		}
		return wrong(s, at, what, program)
	case s.Flag("json"):
		return s.tell([]verdict{{Answer: proven, Bits: a.Bits, Method: string(a.Method)}}, nil)
	}
	return s.Write(fmt.Appendf(nil, "proven: @tgt may stand for @src (%d bits of arguments, by %s)\n", a.Bits, a.Method))
}
