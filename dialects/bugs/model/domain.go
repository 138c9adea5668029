package model

// A Domain is the iterations of a statement in their order. Loops between bounds
// that are the same in every iteration make a box, which takes no memory; the
// iterations of others are stored.
type Domain struct {
	Depth, Iterations int
	Box               []int32 // least and greatest value of each loop variable; nil if n is 0
	Iters             []int32 // the loop variables of each iteration; nil if the domain is a box
}

// IsBox reports that every combination of the values of the loop variables occurs.
func (d *Domain) IsBox() bool { return d.Iters == nil }

// trips is the number of values of a loop variable.
func (d *Domain) trips(k int) int { return int(d.Box[2*k+1]) - int(d.Box[2*k]) + 1 }

// At puts the loop variables of an iteration into out.
func (d *Domain) At(i int, out []int32) {
	if !d.IsBox() {
		copy(out, d.Iters[i*d.Depth:(i+1)*d.Depth])
		return
	}
	for k := d.Depth - 1; k >= 0; k-- {
		n := d.trips(k)
		out[k] = d.Box[2*k] + int32(i%n)
		i /= n
	}
}

// Each calls f for each iteration in order until it returns false. The loop
// variables are in the same memory each time.
func (d *Domain) Each(f func(i int, at []int32) bool) {
	at := make([]int32, d.Depth)
	if !d.IsBox() {
		for i := range d.Iterations {
			copy(at, d.Iters[i*d.Depth:])
			if !f(i, at) {
				return
			}
		}
		return
	}
	for k := 0; k < d.Depth && d.Iterations > 0; k++ {
		at[k] = d.Box[2*k]
	}
	for i := range d.Iterations {
		if !f(i, at) {
			return
		}
		for k := d.Depth - 1; k >= 0; k-- {
			if at[k]++; at[k] <= d.Box[2*k+1] {
				break
			}
			at[k] = d.Box[2*k]
		}
	}
}

// Bound finds the box around stored iterations.
func (d *Domain) Bound() {
	if d.Iterations == 0 {
		return
	}
	d.Box = make([]int32, 2*d.Depth)
	for k := range d.Depth {
		lo, hi := d.Iters[k], d.Iters[k]
		for i := k; i < len(d.Iters); i += d.Depth {
			lo, hi = min(lo, d.Iters[i]), max(hi, d.Iters[i])
		}
		d.Box[2*k], d.Box[2*k+1] = lo, hi
	}
}
