package syntax

import (
	"regexp"
	"sync"

	"github.com/irc-lang/irc/ir/diag"
)

// stanOnly finds what only Stan has, blocks and declarations with a type before the name,
// and what in it is a comment.
var stanOnly = sync.OnceValues(func() (only, comment *regexp.Regexp) {
	return regexp.MustCompile(`\b(?:parameters|transformed\s+data|generated\s+quantities|functions)\s*\{` +
			`|\b(?:int|real|complex|vector|row_vector|matrix|simplex|(?:positive_)?ordered|unit_vector|array|(?:cov|corr)_matrix|cholesky_factor_(?:cov|corr))` +
			`\s*(?:<[^<>]*>\s*)?(?:\[[^\]]*\]\s*)?\s[A-Za-z]\w*\s*(?:\[[^\]]*\]\s*)?[;=]`),
		regexp.MustCompile(`//[^\n]*|#[^\n]*|(?s:/\*.*?\*/)`)
})

// stanHead is how much of a program is looked at: Stan's blocks begin with declarations,
// and expressions are slow on megabytes.
const stanHead = 1 << 16

// IsStan reports a program for Stan.
func IsStan(src *diag.Source) bool { return asStan(src) != nil }

// asStan is the error for a program with errors that is one for Stan; nil for another.
func asStan(src *diag.Source) *diag.Diagnostic {
	only, comment := stanOnly()
	text := comment.ReplaceAllStringFunc(src.Text[:min(len(src.Text), stanHead)], func(s string) string {
		blank := []byte(s)
		for i := range blank {
			blank[i] = ' '
		}
		return string(blank)
	})
	at := only.FindStringIndex(text)
	if at == nil {
		return nil
	}
	return diag.Errorf(src.Span(at[0], at[1]), "this is a program for Stan, and irc reads models in BUGS and JAGS").
		WithFix("write the model block alone, without declarations, in BUGS: normal(mu, sigma) is dnorm(mu, pow(sigma, -2)) there")
}
