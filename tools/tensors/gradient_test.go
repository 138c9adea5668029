package tensors_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/tensors"
)

// A function that gives no one float has no gradient, and the error has its place and a way out.
func TestGradIsOfOneFloat(t *testing.T) {
	for want, f := range map[string]func(x ...tensors.Tensor) []tensors.Tensor{
		"the function gives a tensor<2xf32>, and Grad is of one float: sum over all dimensions": func(x ...tensors.Tensor) []tensors.Tensor { return x[:1] },
		"the function gives a tensor<i64>, and Grad is of one float":                            func(x ...tensors.Tensor) []tensors.Tensor { return []tensors.Tensor{x[0].Argmax(0)} },
		"the function gives 2 tensors, and Grad is of one float":                                func(x ...tensors.Tensor) []tensors.Tensor { s := x[0].Sum(0); return []tensors.Tensor{s, s} },
	} {
		_, err := tensors.Grad(t.Context(), engine.Eval, []tensors.Type{tensors.Of(ir.F32, 2)}, f)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "gradient_test.go:") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
