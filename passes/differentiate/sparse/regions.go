package sparse

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// once is an op whose region runs once.
func (f *frame) once(o *op) error {
	results, err := f.through(f.g.Regions(o.n.Old())[0], nil)
	f.setAll(o, results)
	return err
}

// choose goes through the region that is taken; where a float decides through each, of which only one runs.
func (f *frame) choose(o *op) error {
	regions := f.g.Regions(o.n.Old())
	on := f.get(o.branch.On)
	if on.known && on.val.Ref == nil {
		width := f.c.Info(f.g.Type(o.branch.On)).Width
		if f.g.Type(o.branch.On) == ir.Index {
			width = 64
		}
		k := slices.Index(o.branch.Values, signed(on.val, width))
		if k < 0 {
			k = o.branch.Default
		}
		if k < 0 || k >= len(regions) {
			return nil
		}
		results, err := f.through(regions[k], nil)
		f.setAll(o, results)
		return err
	}
	// Each side adds to memory what it would store. What one has stored the other may read, which is too much, but never too little.
	f.weak++
	defer func() { f.weak-- }()
	var all []value
	for i, r := range regions {
		results, err := f.through(r, nil)
		if err != nil {
			return err
		}
		if i == 0 {
			all = results
		}
		f.joinAll(all, results)
	}
	f.setAll(o, all)
	return nil
}

// signed is a number as one with a sign; a truth value is 1 or 0.
func signed(v ir.Val, width int) int64 {
	if width == 1 {
		return int64(v.Bits & 1)
	}
	return v.Int(width)
}

// counted goes through the rounds of a loop, if it is known which there are.
func (f *frame) counted(o *op) error {
	l := o.loop
	bounds, known := f.bounds(slices.Concat(l.Lower, l.Upper, l.Step))
	d := len(l.Indices)
	carried, at := f.all(l.Inits), make([]value, d)
	if !known || len(bounds) != 3*d {
		end, err := f.rounds(carried, func(now []value) ([]value, error) { return f.round(o, at, now) })
		f.setAll(o, end)
		return err
	}
	end, err := f.nest(o, bounds, at, 0, carried)
	f.setAll(o, end)
	return err
}

// bounds are numbers, if they are known.
func (f *frame) bounds(of []ir.Bound) (out []int64, known bool) {
	for _, b := range of {
		if b.Value == 0 {
			out = append(out, b.Const)
			continue
		}
		v := f.get(b.Value)
		if !v.known {
			return nil, false
		}
		width := 64
		if t := f.g.Type(b.Value); t != ir.Index {
			width = f.c.Info(t).Width
		}
		out = append(out, v.val.Int(width))
	}
	return out, true
}

// nest goes through the points of a box, from dimension k on.
func (f *frame) nest(o *op, bounds []int64, at []value, k int, carried []value) ([]value, error) {
	d := len(at)
	if k == d {
		return f.round(o, at, carried)
	}
	lower, upper, step := bounds[k], bounds[d+k], bounds[2*d+k]
	if o.loop.Inclusive {
		upper++
	}
	if step <= 0 || upper <= lower {
		return carried, nil
	}
	width := 64
	if t := f.g.Type(o.loop.Indices[k]); t != ir.Index {
		width = f.c.Info(t).Width
	}
	n := (uint64(upper) - uint64(lower) - 1) / uint64(step)
	for i := uint64(0); i <= n; i++ {
		nth := i
		if o.loop.Reverse {
			nth = n - i
		}
		at[k] = value{val: ir.IntVal(lower+int64(nth)*step, width), known: true}
		var err error
		if carried, err = f.nest(o, bounds, at, k+1, carried); err != nil {
			return nil, err
		}
	}
	return carried, nil
}

// round goes through the body of a loop once. What it reduces is combined by the regions of its end.
func (f *frame) round(o *op, at, carried []value) ([]value, error) {
	params := f.g.Params(o.loop.Body)
	args := make([]value, len(params))
	for i, p := range params {
		if k := slices.Index(o.loop.Indices, p); k >= 0 {
			args[i] = at[k]
		} else if k := slices.Index(o.loop.Carried, p); k >= 0 {
			args[i] = carried[k]
		}
	}
	got, err := f.through(o.loop.Body, args)
	if err != nil {
		return nil, err
	}
	for k, r := range f.g.Regions(f.g.Term(o.loop.Body)) {
		if len(f.g.Params(r)) != 2 || k >= len(carried) {
			return nil, o.unknown("ends in a region that it is not known of when it runs")
		}
		next, err := f.through(r, []value{carried[k], got[k]})
		if err != nil {
			return nil, err
		}
		got[k] = next[0]
	}
	return got, nil
}

// rounds goes through rounds of which it is not known how many there are, until none changes anything.
func (f *frame) rounds(start []value, round func(now []value) ([]value, error)) ([]value, error) {
	f.weak++
	defer func() { f.weak-- }()
	before, now := f.changed, slices.Clone(start)
	for again := true; again; {
		f.changed = false
		next, err := round(slices.Clone(now))
		if err != nil {
			return nil, err
		}
		again = f.joinAll(now, next) || f.changed
		before = before || f.changed
	}
	f.changed = before
	return now, nil
}

// while goes through the rounds of a loop that tests, as long as it is known what the test says.
func (f *frame) while(o *op) error {
	regions := f.g.Regions(o.n.Old())
	if len(regions) != 2 {
		return f.refuse(o)
	}
	now := f.all(o.loop.Inits)
	for {
		got, err := f.through(regions[0], now)
		if err != nil {
			return err
		}
		test, passed := got[0], got[1:]
		if !test.known {
			break
		}
		if !test.val.Bool() {
			f.setAll(o, passed)
			return nil
		}
		if now, err = f.through(regions[1], passed); err != nil {
			return err
		}
	}
	var passed []value
	_, err := f.rounds(now, func(now []value) ([]value, error) {
		got, err := f.through(regions[0], now)
		if err != nil {
			return nil, err
		}
		if passed == nil {
			passed = slices.Clone(got[1:])
		}
		f.joinAll(passed, got[1:])
		return f.through(regions[1], slices.Clone(passed))
	})
	f.setAll(o, passed)
	return err
}
