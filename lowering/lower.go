package lowering

import (
	"errors"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/libm"
	"github.com/irc-lang/irc/passes/pass"
)

// Lower is the pass that takes a route.
type Lower struct {
	To string `opt:"to" doc:"level or route to lower to"`
}

var lowerInfo = &pass.Info{
	Name: "lower",
	Doc:  "Lowers to a level by the rules of all dialects: a phase for each level on the route, until nothing is left to lower. " + routeDoc(),
	Why:  "After the rules of the higher level have had their chance; folds and sharing go on at the lower one.",
	Example: `func.func @f(%x: f64) -> f64 {
  %y = math.sqrt %x : f64
  return %y : f64
}
`,
	Pipeline: "lower{to=scf}",
	New:      func() pass.Pass { return &Lower{} },
}

func routeDoc() string {
	var parts []string
	for _, r := range Routes {
		parts = append(parts, r.Name+" ("+strings.ToLower(r.Doc[:1])+strings.TrimSuffix(r.Doc[1:], ".")+")")
	}
	return "Routes: " + strings.Join(parts, "; ") + "."
}

// Passes lists the passes that lower, and the ends of ways down.
func Passes() pass.List { return append(pass.List{lowerInfo, libm.Info}, lastInfos...) }

// Check wants a level.
func (p *Lower) Check() error {
	if p.To == "" {
		var names []string
		for _, r := range Routes {
			names = append(names, r.Name)
		}
		return errors.New("no level to lower to is given: to=" + strings.Join(names, "|"))
	}
	return nil
}

// CheckIn wants a level that there is.
func (p *Lower) CheckIn(ctx *ir.Context) error {
	_, err := To(ctx, p.To)
	return err
}

// Run takes the route.
func (p *Lower) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	route, err := To(g.Ctx, p.To)
	if err != nil {
		return nil, fmt.Errorf("to=%s: %w", p.To, err)
	}
	n, err := route.Run(g)
	if err != nil {
		return nil, err
	}
	if ctx.Reports() && pass.Fingerprint(n) == pass.Fingerprint(g) {
		ctx.Remark("nothing had a rule for %s", strings.Join(route.Levels, ", "))
	}
	return n, nil
}
