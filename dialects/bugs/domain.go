package bugs

// A domain is the iterations of a statement in their order. Loops between bounds
// that are the same in every iteration make a box, which takes no memory; the
// iterations of others are stored.
type domain struct {
	depth, n int
	box      []int32 // least and greatest value of each loop variable; nil if n is 0
	iters    []int32 // the loop variables of each iteration; nil if the domain is a box
}

// isBox reports that every combination of the values of the loop variables occurs.
func (d *domain) isBox() bool { return d.iters == nil }

// trips is the number of values of a loop variable.
func (d *domain) trips(k int) int { return int(d.box[2*k+1]) - int(d.box[2*k]) + 1 }

// at puts the loop variables of an iteration into out.
func (d *domain) at(i int, out []int32) {
	if !d.isBox() {
		copy(out, d.iters[i*d.depth:(i+1)*d.depth])
		return
	}
	for k := d.depth - 1; k >= 0; k-- {
		n := d.trips(k)
		out[k] = d.box[2*k] + int32(i%n)
		i /= n
	}
}

// each calls f for each iteration in order until it returns false. The loop
// variables are in the same memory each time.
func (d *domain) each(f func(i int, at []int32) bool) {
	at := make([]int32, d.depth)
	if !d.isBox() {
		for i := range d.n {
			copy(at, d.iters[i*d.depth:])
			if !f(i, at) {
				return
			}
		}
		return
	}
	for k := 0; k < d.depth && d.n > 0; k++ {
		at[k] = d.box[2*k]
	}
	for i := range d.n {
		if !f(i, at) {
			return
		}
		for k := d.depth - 1; k >= 0; k-- {
			if at[k]++; at[k] <= d.box[2*k+1] {
				break
			}
			at[k] = d.box[2*k]
		}
	}
}

// bound finds the box around stored iterations.
func (d *domain) bound() {
	if d.n == 0 {
		return
	}
	d.box = make([]int32, 2*d.depth)
	for k := range d.depth {
		lo, hi := d.iters[k], d.iters[k]
		for i := k; i < len(d.iters); i += d.depth {
			lo, hi = min(lo, d.iters[i]), max(hi, d.iters[i])
		}
		d.box[2*k], d.box[2*k+1] = lo, hi
	}
}
