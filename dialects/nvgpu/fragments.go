package nvgpu

// place is an element of a matrix.
type place struct{ row, column int }

// fragmentA lists what a lane has of A, in the order of the lanes of its vector.
func (s shape) fragmentA(lane int) (out []place) {
	g, q := lane/4, lane%4
	pairs := int(s.a[1])
	for i := range 4 {
		for e := range pairs {
			out = append(out, place{g + 8*(i%2), pairs*q + e + 4*pairs*(i/2)})
		}
	}
	return out
}

// fragmentB lists what a lane has of B.
func (s shape) fragmentB(lane int) (out []place) {
	g, q := lane/4, lane%4
	pairs := int(s.b[1])
	for i := range 2 {
		for e := range pairs {
			out = append(out, place{pairs*q + e + 4*pairs*i, g})
		}
	}
	return out
}

// fragmentC lists what a lane has of C.
func fragmentC(lane int) (out []place) {
	g, q := lane/4, lane%4
	for i := range 2 {
		for e := range 2 {
			out = append(out, place{g + 8*i, 2*q + e})
		}
	}
	return out
}
