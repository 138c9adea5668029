// Package mlp is networks of layers that are trained: how many layers there are is known when the program is staged, how many steps
// it takes when it runs.
package mlp

import "github.com/irc-lang/irc/tools/stage"

type (
	S      = stage.S
	Int    = stage.Dyn[int]
	Float  = stage.Dyn[float64]
	List   = stage.Slice[float64]
	Tensor = stage.Tensor[float64]
)

// A Layer is parameters in memory: a matrix, inputs by outputs, and a bias.
type Layer struct{ W, B List }

// Layers are those of a network.
type Layers interface {
	[1]Layer | [2]Layer | [3]Layer | [4]Layer
}

// A layer is parameters as values, or as variables.
type layer struct{ w, b Tensor }

// forward is what goes into each layer, and what comes out of the last. All but the last end in tanh.
func forward(s *S, x Tensor, net []layer) []Tensor {
	values := []Tensor{x}
	for i := range stage.Range(s, len(net)) {
		x = x.Einsum("ni,io->no", net[i].w).Add(net[i].b)
		if i < len(net)-1 {
			x = x.Tanh()
		}
		values = append(values, x)
	}
	return values
}

// step sets the parameters to what is less wrong: error is the slope of the loss by the outputs.
func step(s *S, net []layer, values []Tensor, error Tensor, rate Float) {
	for k := range stage.Range(s, len(net)) {
		i := len(net) - 1 - k
		old := stage.Get(s, net[i])
		if k > 0 {
			error = error.Mul(values[i+1].Mul(values[i+1]).Mul(-1).Add(1)) // tanh' = 1 - tanh^2
		}
		stage.Set(s, net[i], layer{
			old.w.Sub(values[i].Einsum("ni,no->io", error).Mul(rate)),
			old.b.Sub(error.Sum(0).Mul(rate)),
		})
		error = error.Einsum("no,io->ni", old.w)
	}
}

// Train is gradient descent on the squared error, for batch rows of inputs, in at most so many steps, until the loss is less than enough. It
// gives the steps that it took, and the last loss. widths are those of the inputs and of what each layer gives.
func Train[L Layers](batch int, widths ...int) func(s *S, x, y List, params L, steps Int, rate, enough Float) (Int, Float) {
	return func(s *S, x, y List, params L, steps Int, rate, enough Float) (Int, Float) {
		in, want := stage.Load(x, batch, widths[0]), stage.Load(y, batch, widths[len(params)])
		var net []layer
		for i := range stage.Range(s, len(params)) {
			p := params[i]
			net = append(net, stage.VarOf(s, "layer", layer{stage.Load(p.W, widths[i], widths[i+1]), stage.Load(p.B, widths[i+1])}))
		}
		taken, loss := stage.Var[int](s, "taken", 0), stage.Var[float64](s, "loss", 0)
		for s.While(taken.Lt(steps)) {
			values := forward(s, in, net)
			wrong := values[len(net)].Sub(want)
			loss.Set(wrong.Mul(wrong).Sum(0, 1).At())
			if s.If(loss.Lt(enough)) {
				break
			}
			step(s, net, values, wrong.Mul(2), rate)
			taken.Set(taken.Add(1))
		}
		for i := range stage.Range(s, len(params)) {
			net[i].w.Store(params[i].W)
			net[i].b.Store(params[i].B)
		}
		return taken, loss
	}
}

// Predict is what a network gives for rows of inputs.
func Predict[L Layers](batch int, widths ...int) func(s *S, x, y List, params L) {
	return func(s *S, x, y List, params L) {
		var net []layer
		for i := range stage.Range(s, len(params)) {
			p := params[i]
			net = append(net, layer{stage.Load(p.W, widths[i], widths[i+1]), stage.Load(p.B, widths[i+1])})
		}
		forward(s, stage.Load(x, batch, widths[0]), net)[len(net)].Store(y)
	}
}
