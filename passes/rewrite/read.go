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

// widths are those at which a rule is proven: the second where it has no types or numbers at the first.
var widths = []int{4, 8}

// check proves a rule. The error is a diagnostic at the rule. Few bits do for that: wrong rules are rarely right in
// 4 bits, and the search takes milliseconds.
func check(ctx *pass.Context, c *ir.Context, x *rule.Rule) error {
	const how = "the option unproven, or -unproven, takes it as it is"
	var none *rule.WidthError
	for _, w := range widths {
		answers, err := prove.Rewrite(ctx, c, x, []int{w}, prove.Budget{})
		var d *diag.Diagnostic
		switch {
		case len(answers) > 0 && answers[0].Counter != nil:
			return diag.Errorf(x.Span, "the rule is wrong at width %d: %s", w, answers[0].Counter).WithFix("`irc prove` writes a program that shows it")
		case errors.As(err, &none): // at the next width, maybe
		case errors.As(err, &d):
			return d.WithFix(how)
		case err != nil:
			return diag.Errorf(x.Span, "the rule cannot be proven at width %d: %v", w, err).WithFix(how)
		default:
			return nil
		}
	}
	return diag.Errorf(x.Span, "the rule cannot be proven: %v", message(none)).WithFix(how)
}

// message is an error without the place that stands before it.
func message(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d.Message
	}
	return err.Error()
}
