package main

import (
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/irc-lang/irc/examples/stage/nn"
	"github.com/irc-lang/irc/tools/stage"
)

// convSizes are those of Figure 11 of the paper on prophecy variables: numbers, and weights.
var convSizes = [][2]int{{10_240, 3}, {102_400, 3}, {1_024_000, 3}, {10_240, 9}, {102_400, 9}, {1_024_000, 9}}

// convThreshold is that of the relu in the paper's Figure 10.
const convThreshold = 1.35

// convNet is a convolution and a relu; where a path goes without one, the two have a loop each.
func convNet(weights int, fused bool) any {
	return nn.Network(func(n *nn.Net, c stage.Dyn[bool], in, w, out nn.Tensor) {
		n.Conv(out, in, w, weights)
		if fused || n.If(c) {
			n.Relu(out, in.Len().Sub(weights-1), convThreshold)
		}
	})
}

// convTime gives a measurement of about so many seconds.
const convTime = 0.1

// convolutions measures a convolution and a relu, fused by a prophecy, beside the same in two loops and the fused loop in C, one core.
func (b *bench) convolutions() error {
	exe, err := b.peer("conv.c", "-O3", "-march=native")
	if err != nil {
		return err
	}
	apart, c := 0.0, 0.0
	for _, size := range convSizes {
		ratios, err := b.convRow(exe, b.size(size[0]), size[1])
		if err != nil {
			return fmt.Errorf("%d by %d: %w", size[0], size[1], err)
		}
		apart, c = apart+math.Log(ratios[0]), c+math.Log(ratios[1])
	}
	n := float64(len(convSizes))
	apart, c = math.Exp(apart/n), math.Exp(c/n)
	b.table.Absolute("conv", "6 sizes, ours by ours in two loops", "", apart, apart < 0.9, "mean < 0.9")
	b.table.Absolute("conv", "6 sizes, ours by C", "", c, c <= 1, "mean <= 1")
	return b.ctx.Err()
}

// convRow measures one size: fused by two loops, and by C.
func (b *bench) convRow(exe string, n, weights int) (ratios [2]float64, err error) {
	in, w := make([]float32, n), make([]float32, weights)
	for i := range in {
		in[i] = float32(i*7919%1001)/500 - 1
	}
	for i := range w {
		w[i] = float32(i%3)*0.5 - 0.25
	}
	times := max(10, int(convTime*2e9/float64(n*weights)))
	var bound [2]*stage.Bound
	var out [2][]float32
	for i := range bound {
		p, err := stage.Compile[func(bool, []float32, []float32, []float32)](b.ctx, "net", convNet(weights, i == 0))
		if err != nil {
			return ratios, err
		}
		defer p.Close()
		out[i] = make([]float32, n)
		if bound[i], err = p.Bind(true, in, w, out[i]); err != nil {
			return ratios, err
		}
	}
	ours, theirs, want := [2]float64{math.Inf(1), math.Inf(1)}, math.Inf(1), 0.0
	for range max(1, b.size(plainTurns)) {
		text, err := exec.CommandContext(b.ctx, exe, strconv.Itoa(n), strconv.Itoa(weights), strconv.Itoa(times)).Output()
		if err != nil {
			return ratios, err
		}
		var s float64
		if _, err := fmt.Sscan(string(text), &s, &want); err != nil {
			return ratios, err
		}
		theirs = min(theirs, s)
		for i, p := range bound {
			took, err := p.Repeat(times)
			if err != nil {
				return ratios, err
			}
			ours[i] = min(ours[i], slices.Min(took).Seconds())
		}
	}
	for i, p := range bound {
		if err := p.Close(); err != nil {
			return ratios, err
		}
		sum := 0.0
		for _, x := range out[i] {
			sum += float64(x)
		}
		if math.Abs(sum-want) > 1e-4*math.Abs(want) {
			return ratios, fmt.Errorf("the sum is %v, in C %v", sum, want)
		}
	}
	us := float64(time.Second / time.Microsecond)
	what := fmt.Sprintf("%d by %d", n, weights)
	b.table.Compare("conv", what+", beside two loops", "us", ours[0]*us, ours[1]*us, 0.9, "< 0.9")
	b.table.Compare("conv", what+", beside C", "us", ours[0]*us, theirs*us, 1, "<= 1")
	return [2]float64{ours[0] / ours[1], ours[0] / theirs}, nil
}
