package density

import (
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/ir"
)

// SamplerGraph is the program with what a chain asks of a model: @logdensity_unconstrained with its gradient, @constrain, and
// @generate where generated quantities can be drawn. LibraryOf describes it.
func SamplerGraph(ctx *ir.Context, u *space.Unconstrained) (*ir.Graph, error) {
	if err := samplable(u); err != nil {
		return nil, err
	}
	computed, generated := Computed(u)
	g, d := emit.SpaceGraph(u, ctx, false, computed, generated)
	if d != nil {
		g, d = emit.SpaceGraph(u, ctx, false, computed, nil)
	}
	if d != nil {
		return nil, d
	}
	return through(g, "lower{to=scf},inline{threshold=-1},differentiate{of="+UnconstrainedSymbol+"}")
}

// IsVector reports the vector, and IsSeed the adjoint of the density, which is 1.
func (a *Arg) IsVector() bool { return a.Name == ops.VectorName && !a.Shadow && !a.Onward }

// IsSeed: see IsVector.
func (a *Arg) IsSeed() bool { return a.Name == "" && a.Fixed && a.Scalar }

// IsRandom reports the seed and the stream of random numbers.
func (a *Arg) IsRandom() bool { return a.Name == ops.RandomName }

// IsSlope reports the shadow of the vector, to which the gradient is added.
func (a *Arg) IsSlope() bool { return a.Name == ops.VectorName && a.Shadow && !a.Onward }
