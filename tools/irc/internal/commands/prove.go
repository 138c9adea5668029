package commands

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/passes/prove"
	"github.com/irc-lang/irc/passes/rule"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// rulesExt is the extension of files of rules.
const rulesExt = ".rules"

// proveAny decides what the command line names: a rule, the rules of a file, or the functions of a program.
func proveAny(s *session) error {
	arg := s.Files[0]
	if arg != "-" && !cli.Exists(arg) && (strings.Contains(arg, "(") || strings.Contains(arg, "=>")) {
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
	p := &provenRules{s: s, src: src}
	for _, r := range rules {
		answers, err := prove.Rewrite(s.Context, ctx, r, widths, patience(s))
		if err := p.add(r, answers, err); err != nil {
			return err
		}
	}
	if s.Flag("json") {
		return s.tell(p.verdicts, p.failed.Err())
	}
	return p.tell()
}

// provenRules are what is known of the rules of a file: of each, whatever is known of those before it.
type provenRules struct {
	s        *session
	src      *diag.Source
	verdicts []verdict
	lines    []string // of those that are proven
	program  string   // shows the first that is wrong
	failed   diag.List
}

// add notes what is known of a rule.
func (p *provenRules) add(r *rule.Rule, answers []prove.AtWidth, err error) error {
	v, wrong := verdictOf(r, answers, err, func(a *prove.AtWidth) (string, error) { return shown(p.s, p.src, a) })
	if wrong != nil {
		return wrong
	}
	p.verdicts = append(p.verdicts, v)
	switch {
	case v.Counter != nil:
		what := refutation(&answers[len(answers)-1])
		p.failed = append(p.failed, diag.Errorf(r.Span, "%s", what))
		if p.program == "" {
			p.program = counterText(what, v.Counter.Program)
		}
	case err != nil:
		err = unknown(r.Span, answers, err, narrower(r))
		d := (*diag.Diagnostic)(nil)
		if !errors.As(err, &d) {
			return err
		}
		p.failed = append(p.failed, d)
	default:
		p.lines = append(p.lines, fmt.Sprintf("proven %s: %s\n", told(answers), r.Line()))
	}
	return nil
}

// tell writes which rules are proven. Where one is wrong these are comments of the program that shows it.
func (p *provenRules) tell() error {
	out := strings.Join(p.lines, "")
	if p.program != "" {
		out = strings.Join(lists.Map(p.lines, func(l string) string { return "// " + l }), "") + p.program
	}
	if out != "" {
		if err := p.s.Write([]byte(out)); err != nil {
			return err
		}
	}
	return p.failed.Err()
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

// narrower is how to ask about fewer bits, of a rule with types whose bits -width counts.
func narrower(r *rule.Rule) string {
	for i := range r.Operands {
		if r.OperandWidth(i, 1) != r.OperandWidth(i, 2) {
			return "-width=4 asks about fewer bits"
		}
	}
	return "with narrower types it asks about fewer bits"
}

// unknown says where proving stopped, and how to go on.
func unknown(at diag.Span, before []prove.AtWidth, err error, fewer string) error {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d
	}
	var u *prove.Undecided
	if !errors.As(err, &u) {
		return diag.Errorf(at, "%v", err)
	}
	text := u.Error()
	if len(before) > 0 {
		text += "; it is proven " + told(before)
	}
	return diag.Errorf(at, "%s", text).WithFix("-timeout=10m searches for so long; %s", fewer)
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

// counterText is a program that shows what is wrong, with the sentence that says it.
func counterText(what, program string) string {
	return "// " + what + ".\n// irc run -entry=call_src and -entry=call_tgt show it.\n" + program
}

// wrong writes a counterexample, and says it.
func wrong(s *session, at diag.Span, what, program string) error {
	if err := s.Write([]byte(counterText(what, program))); err != nil {
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
		NoPoison: !symbols.IsPrivate(from) && !symbols.IsNested(from)}) // whose arguments never are
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
		return s.tell([]verdict{{Answer: undecided, Reason: reason(err)}}, unknown(at, nil, err, "with narrower types it asks about fewer bits"))
	case err != nil:
		return unknown(at, nil, err, "with narrower types it asks about fewer bits")
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
