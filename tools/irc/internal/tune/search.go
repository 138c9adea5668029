package tune

import (
	"slices"

	"github.com/irc-lang/irc/passes/loops"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral"
)

// A Knob is an option of a pass of a pipeline that may be chosen.
type Knob struct {
	Pass   string
	Values [][]int // to begin with
	set    func(p pass.Pass, value []int)
	step   int // of the pass in the pipeline
}

// depth is how many loops tiles are looked for of.
const depth = 3

// Knobs are those of a pipeline that are left open: what the command line says stays.
func Knobs(p *pass.Pipeline) (out []Knob) {
	i := -1
	p.Each(func(info *pass.Info, x pass.Pass) {
		i++
		k := Knob{Pass: info.Name, step: i}
		switch x := x.(type) {
		case *loops.Tile:
			if len(x.Sizes) == 0 {
				k.Values, k.set = tiles(), func(p pass.Pass, v []int) { p.(*loops.Tile).Sizes = v }
			}
		case *polyhedral.Tile:
			if len(x.Sizes) == 0 {
				k.Values, k.set = tiles(), func(p pass.Pass, v []int) { p.(*polyhedral.Tile).Sizes = v }
			}
		case *loops.Vectorize:
			if x.Width == 0 {
				k.Values, k.set = [][]int{{2}, {4}, {8}, {16}}, func(p pass.Pass, v []int) { p.(*loops.Vectorize).Width = v[0] }
			}
		case *loops.UnrollJam:
			k.Values, k.set = [][]int{{2}, {3}, {4}, {6}, {8}}, func(p pass.Pass, v []int) { p.(*loops.UnrollJam).Factor = v[0] }
		}
		if k.set != nil {
			out = append(out, k)
		}
	})
	return out
}

// tiles are sizes that are the same in all loops, and long ones in the innermost.
func tiles() (out [][]int) {
	for _, n := range []int{8, 16, 32, 64, 128} {
		out = append(out, slices.Repeat([]int{n}, depth))
	}
	return append(out, []int{16, 16, 256}, []int{32, 32, 512})
}

// With is a pipeline, as it is parsed anew, in which a knob has a value.
func (k Knob) With(p *pass.Pipeline, value []int) {
	i := -1
	p.Each(func(_ *pass.Info, x pass.Pass) {
		if i++; i == k.step {
			k.set(x, value)
		}
	})
}

// near are the values beside one: each number of it twice and half as large.
func (k Knob) near(value []int) (out [][]int) {
	if len(value) < depth {
		return nil
	}
	for i := range value {
		for _, n := range []int{value[i] * 2, value[i] / 2} {
			if n >= 2 && n <= 1024 {
				v := slices.Clone(value)
				v[i] = n
				out = append(out, v)
			}
		}
	}
	return out
}

// gain is by how much a try has to be faster to be taken: clocks are not exact, and where all are alike the first stays.
const gain = 0.97

// A Best is the values of knobs with which a program was fastest; a knob without one is as the pass has it.
type Best struct {
	Values  [][]int
	Seconds float64
	First   float64 // without values
	Tries   int
}

// Search looks for the values of knobs, one knob after the other and around the best value of each, until none is faster
// or there is no time left. Try gives the seconds with some values; false stands for a program that cannot be had so. The order
// of the tries, and what comes of given times, is always the same.
func Search(knobs []Knob, try func(values [][]int) (seconds float64, ok bool), more func() bool) (b Best, ok bool) {
	b.Values = make([][]int, len(knobs))
	if b.First, ok = try(b.Values); !ok {
		return b, false
	}
	b.Seconds = b.First
	tried := map[string]bool{}
	improve := func(i int, value []int) bool {
		values := slices.Clone(b.Values)
		values[i] = value
		key := spell(values)
		if tried[key] || !more() {
			return false
		}
		tried[key] = true
		b.Tries++
		s, ok := try(values)
		if !ok || s >= gain*b.Seconds {
			return false
		}
		b.Values, b.Seconds = values, s
		return true
	}
	for again := true; again; {
		again = false
		for i, k := range knobs {
			for _, v := range k.Values {
				again = improve(i, v) || again
			}
			for closer := true; closer; {
				closer = false
				for _, v := range k.near(b.Values[i]) {
					if improve(i, v) {
						closer, again = true, true
						break
					}
				}
			}
		}
	}
	return b, true
}
