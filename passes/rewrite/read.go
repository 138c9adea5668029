package rewrite

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/prove"
	"github.com/irc-lang/irc/passes/rule"
)

// maxFile is the size of a file of rules: more is no file that somebody wrote.
const maxFile = 1 << 20

// read reads the rules of the files, and then those that are written in the pipeline, and proves them unless it is told not to.
func (p *Rewrite) read(ctx *pass.Context, c *ir.Context) (*rules, error) {
	if len(p.Rules) == 0 && p.Rule == "" {
		return nil, errors.New("has no rules: write rewrite{rules=FILE}, or -rules=FILE")
	}
	var sources []*diag.Source
	for _, file := range p.Rules {
		text, err := readFile(file)
		if err != nil {
			return nil, err
		}
		sources = append(sources, diag.NewSource(file, text))
	}
	if p.Rule != "" {
		sources = append(sources, diag.NewSource("<rule>", p.Rule))
	}
	out := &rules{of: map[*ir.OpDef][]*active{}}
	c = ir.NewContext(c.Dialects()[1:]...) // the first is ir.Core; what is built in a proof is nothing of the program's
	for _, src := range sources {
		list, problems := rule.Parse(c, src)
		if problems.Err() != nil {
			return nil, problems[0]
		}
		for _, x := range list {
			err := out.add(x)
			if err == nil && !p.Unproven {
				err = check(ctx, c, x)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Folds are the rules of files as folds, in their order, each with a Pattern, for a pass that applies them in its own way. They are proven
// first, unless they are taken unproven. The error is a diagnostic at what is wrong in a file.
func Folds(ctx *pass.Context, c *ir.Context, files []string, unproven bool) ([]ir.Fold, error) {
	p := &Rewrite{Rules: files, Unproven: unproven}
	r, err := p.read(ctx, c)
	if err != nil {
		return nil, err
	}
	return lists.Map(r.all, func(x *active) ir.Fold { return ir.Fold{Of: x.of, Rule: x.name, Is: x.pattern} }), nil
}

// readFile reads a file that is no longer than rules are.
func readFile(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("cannot read the rules: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is longer than %d bytes, which rules are not", file, maxFile)
	}
	return string(data), err
}

// A rule is proven at the first of the widths at which it exists and applies to something: numbers may not fit in fewer bits, and
// conditions may ask for more. Few bits do, for wrong rules are rarely right in 4, and the search takes milliseconds. What holds
// there may fail at the narrow widths, where 1 is -1 and a shift by 1 may be too far, so it is proven at them too.
var widths, narrow = []int{4, 8, 16, 32, 64}, []int{1, 2, 3}

// conflicts bound the search for a counterexample of many bits.
const conflicts = 10_000

// check proves a rule. The error is a diagnostic at the rule.
func check(ctx *pass.Context, c *ir.Context, x *rule.Rule) error {
	var none *rule.WidthError
	proven := false
	for _, w := range widths {
		err := checkAt(ctx, c, x, w)
		if errors.As(err, &none) {
			continue
		} else if err != nil {
			return err
		}
		proven = true
		break
	}
	for _, w := range narrow {
		if err := checkAt(ctx, c, x, w); err == nil {
			proven = true
		} else if !errors.As(err, new(*rule.WidthError)) {
			return err
		}
	}
	if proven {
		return nil
	}
	return diag.Errorf(x.Span, "the rule cannot be proven: %v", message(none)).WithFix(unproven)
}

// unproven is what to do with a rule that is not proven.
const unproven = "the option unproven, or -unproven, takes it as it is"

// checkAt proves a rule at a width. The error is a *rule.WidthError if it does not exist there, else a diagnostic at the rule.
func checkAt(ctx *pass.Context, c *ir.Context, x *rule.Rule, w int) error {
	answers, err := prove.Rewrite(ctx, c, x, []int{w}, prove.Budget{Conflicts: conflicts})
	var d *diag.Diagnostic
	switch {
	case len(answers) > 0 && answers[0].Counter != nil:
		d := diag.Errorf(x.Span, "the rule is wrong at width %d: %s", w, answers[0].Counter).WithFix("`irc prove` writes a program that shows it")
		if w < widths[0] {
			d.Fix += fmt.Sprintf("; `where width u> %d` leaves that width out", w)
		}
		return d
	case err == nil || errors.As(err, new(*rule.WidthError)):
		return err
	case errors.As(err, &d):
		return d.WithFix(unproven)
	}
	return diag.Errorf(x.Span, "the rule cannot be proven at width %d: %v", w, err).WithFix(unproven)
}

// message is an error without the place that stands before it.
func message(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d.Message
	}
	return err.Error()
}
