package lowering

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/lowering/ends"
	"github.com/irc-lang/irc/lowering/libm"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// routePass is the pass that takes a route.
type routePass struct {
	To string `opt:"to" doc:"level or route to lower to"`

	routes []Route
	given  []option // of the lowerings
}

// option is one that a lowering has, not yet read.
type option struct{ name, value string }

// lowerAlong is the row of the pass that knows some routes.
func lowerAlong(routes []Route) *pass.Info {
	return &pass.Info{
		Name: "lower",
		Doc:  "Lowers to a level by the rules of all dialects: a phase for each level on the route, until nothing is left to lower. Its further options are those of the lowerings on the route, which `irc dialects NAME` lists. " + routeDoc(routes),
		Why:  "After the rules of the higher level have had their chance; folds and sharing go on at the lower one.",
		Example: `func.func @f(%m: memref<?xf64>, %x: f64) {
  linalg.fill ins(%x : f64) outs(%m : memref<?xf64>)
  return
}
`,
		Pipeline: "lower{to=scf}",
		New:      func() pass.Pass { return &routePass{routes: routes} },
	}
}

func routeDoc(routes []Route) string {
	var parts []string
	for _, r := range routes {
		parts = append(parts, r.Name+" ("+strings.ToLower(r.Doc[:1])+strings.TrimSuffix(r.Doc[1:], ".")+")")
	}
	return "Routes: " + strings.Join(parts, "; ") + "."
}

// Passes lists the passes that lower, and the ends of lowering pipelines.
func Passes() pass.List { return append(pass.List{lowerAlong(Routes), libm.Info}, ends.Passes...) }

// Along gives a list of passes other routes to lower along.
func Along(routes []Route, list pass.List) pass.List {
	out := slices.Clone(list)
	for i, p := range out {
		if p.New == nil {
			continue
		}
		if _, ok := p.New().(*routePass); ok {
			out[i] = lowerAlong(routes)
		}
	}
	return out
}

// Check wants a level.
func (p *routePass) Check() error {
	if p.To == "" {
		names := lists.Map(p.routes, func(r Route) string { return r.Name })
		return errors.New("no level to lower to is given: to=" + strings.Join(names, "|"))
	}
	return nil
}

// SetOption keeps an option of a lowering until the dialects are known.
func (p *routePass) SetOption(name, value string) {
	p.given = slices.DeleteFunc(p.given, func(o option) bool { return o.name == name })
	p.given = append(p.given, option{name, value})
}

// MoreOptions lists what SetOption was given.
func (p *routePass) MoreOptions(f func(name, value string)) {
	for _, o := range p.given {
		f(o.name, o.value)
	}
}

// CheckIn wants a level that there is, an order of its rules, and options that some
// lowering to it has.
func (p *routePass) CheckIn(ctx *ir.Context) error {
	route, err := To(ctx, p.routes, p.To)
	if err != nil {
		return err
	}
	plans, err := route.plans(ctx)
	if err != nil {
		return err
	}
	_, err = route.values(plans, p.given)
	return err
}

// Run takes the route.
func (p *routePass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	route, err := To(g.Ctx, p.routes, p.To)
	if err != nil {
		return nil, fmt.Errorf("to=%s: %w", p.To, err)
	}
	n, err := route.run(g, ctx.Target(), p.given, func(g *ir.Graph, at ir.Value, text string) { ctx.Remark("%s: %s", ctx.Where(g, at), text) })
	if err != nil {
		return nil, err
	}
	if ctx.Reports() && fixpoint.Fingerprint(n) == fixpoint.Fingerprint(g) {
		ctx.Remark("nothing had a rule for %s", strings.Join(route.Levels, ", "))
	}
	return n, nil
}
