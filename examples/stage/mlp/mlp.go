// Package mlp is networks of layers that are trained: how many layers there are is known when the program is staged, how many steps
// it takes, and of how many rows the batch is, when it runs.
package mlp

import "github.com/irc-lang/irc/tools/stage"

type (
	S      = stage.S
	Int    = stage.Dyn[int]
	Float  = stage.Dyn[float64]
	Tensor = stage.Tensor[float64]
)

// A Layer is parameters: a matrix, inputs by outputs, and a bias.
type Layer struct{ W, B Tensor }

// Layers are those of a network.
type Layers interface {
	[1]Layer | [2]Layer | [3]Layer | [4]Layer
}

// extents are those of x, of y unless that is a result, and of the parameters of a network whose inputs, and what each layer gives, have
// these widths: any batch of n rows.
func extents(hasY bool, widths []int) []stage.Extents {
	out := []stage.Extents{{"n", widths[0]}}
	if hasY {
		out = append(out, stage.Extents{"n", widths[len(widths)-1]})
	}
	for i := range len(widths) - 1 {
		out = append(out, stage.Extents{widths[i], widths[i+1]}, stage.Extents{widths[i+1]})
	}
	return out
}

// forward is what goes into each layer, and what comes out of the last. All but the last end in tanh.
func forward[L Layers](s *S, x Tensor, net L) []Tensor {
	values := []Tensor{x}
	for i := range stage.Range(s, len(net)) {
		x = x.Einsum("ni,io->no", net[i].W).Add(net[i].B)
		if i < len(net)-1 {
			x = x.Tanh()
		}
		values = append(values, x)
	}
	return values
}

// step sets the parameters to what is less wrong: error is the slope of the loss by the outputs.
func step[L Layers](s *S, net L, values []Tensor, error Tensor, rate Float) {
	for k := range stage.Range(s, len(net)) {
		i := len(net) - 1 - k
		old := stage.Get(s, net[i])
		if k > 0 {
			error = error.Mul(values[i+1].Mul(values[i+1]).Mul(-1).Add(1)) // tanh' = 1 - tanh^2
		}
		stage.Set(s, net[i], Layer{
			old.W.Sub(values[i].Einsum("ni,no->io", error).Mul(rate)),
			old.B.Sub(error.Sum(0).Mul(rate)),
		})
		error = error.Einsum("no,io->ni", old.W)
	}
}

// Train is gradient descent on the squared error of a batch, in at most so many steps, until the loss is less than enough. It
// gives the trained parameters, the steps that it took, and the last loss. widths are those of the inputs and of what each layer gives.
func Train[L Layers](widths ...int) any {
	return stage.Shaped(func(s *S, x, y Tensor, params L, steps Int, rate, enough Float) (L, Int, Float) {
		net := stage.VarOf(s, "net", params)
		taken, loss := stage.Var[int](s, "taken", 0), stage.Var[float64](s, "loss", 0)
		for s.While(taken.Lt(steps)) {
			values := forward(s, x, net)
			wrong := values[len(net)].Sub(y)
			loss.Set(wrong.Mul(wrong).Sum(0, 1).At())
			if s.If(loss.Lt(enough)) {
				break
			}
			step(s, net, values, wrong.Mul(2), rate)
			taken.Set(taken.Add(1))
		}
		return net, taken, loss
	}, extents(true, widths)...)
}

// Predict is what a network gives for rows of inputs.
func Predict[L Layers](widths ...int) any {
	return stage.Shaped(func(s *S, x Tensor, net L) Tensor {
		return forward(s, x, net)[len(net)]
	}, extents(false, widths)...)
}
