package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// theResult is what -gradient says without a value.
const theResult = "result"

// derived is what -gradient names: a result of the function, or an argument of the lowered one. The other is -1.
func (j *job) derived(x *gradient) (result, arg int, err error) {
	what := j.s.Str("gradient")
	if j.bound != nil {
		arg, err = j.derivedOutput()
		return -1, x.first[arg], err
	}
	rest, isArg := strings.CutPrefix(what, "arg")
	n, bad := strconv.Atoi(rest)
	switch {
	case what == theResult && len(x.Seeds) == 1:
		return x.Seeds[0], -1, nil
	case what == theResult:
		return 0, 0, j.noGradient("@%s gives %s of floats, and -gradient alone is of the one that a function gives", j.entry, counted(len(x.Seeds), "result"))
	case bad != nil || n < 0:
		return 0, 0, j.noGradient("-gradient=%s names no result and no argument", what)
	case isArg && n >= len(j.in):
		return 0, 0, j.noGradient("@%s has %s, and -gradient=%s is none of them", j.entry, counted(len(j.in), "argument"), what)
	case isArg:
		if k := x.first[n]; x.first[n+1] == k+1 && slices.Contains(x.Shadows, k) {
			return -1, k, nil
		}
		return 0, 0, j.noGradient("argument %d of @%s is no memory of floats, and -gradient=%s is the sum of such memory", n, j.entry, what)
	case n >= len(j.out):
		return 0, 0, j.noGradient("@%s has %s, and -gradient=%s is none of them", j.entry, counted(len(j.out), "result"), what)
	case len(j.out) != len(x.Out) || !slices.Contains(x.Seeds, n):
		return 0, 0, j.noGradient("result %d of @%s is not of floats", n, j.entry)
	}
	return n, -1, nil
}

// noGradient is an error of -gradient, with what there is to choose from.
func (j *job) noGradient(format string, args ...any) error {
	d := diag.Errorf(diag.Span{}, format, args...)
	return d.WithFix("-gradient=N is result N, a float or the sum of its elements, and -gradient=argN the sum of what argument N, memory of floats, holds at the end; both count from 0")
}

// derivedOutput is the argument of the output of equations that -gradient names.
func (j *job) derivedOutput() (int, error) {
	what := j.s.Str("gradient")
	var outputs []string
	for i, name := range j.bound.Names {
		if name != "" && j.g.Ctx.IsFloat(j.g.Ctx.Info(j.in[i]).Elem) {
			outputs = append(outputs, name)
		}
	}
	i := slices.Index(j.bound.Names, what)
	switch {
	case what == theResult && i < 0 && len(outputs) == 1:
		i = slices.Index(j.bound.Names, outputs[0])
	case slices.Contains(outputs, what):
	case len(outputs) == 0:
		return 0, diag.Errorf(diag.Span{}, "the program has no output of floats, and -gradient is of the sum of one")
	default:
		d := diag.Errorf(diag.Span{}, "the program has no output %s of floats", what)
		switch near := diag.Nearest(what, outputs); {
		case what == theResult:
			d = diag.Errorf(diag.Span{}, "the program has %s, and -gradient is of the sum of one", counted(len(outputs), "output"))
		case i >= 0:
			d = diag.Errorf(diag.Span{}, "the output %s is of integers, which change in steps", what)
		case near != "":
			return 0, d.WithFix("did you mean -gradient=%s?", near)
		}
		return 0, d.WithFix("say which: %s", spelled(outputs, "-gradient=", "or"))
	}
	return i, nil
}

// counted is a number with what it is of.
func counted(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
