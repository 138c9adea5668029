package cfg

// heap is a leftist heap (Crane 1972) of the places to which control may be on its way: where paths meet, theirs are
// melded. The first is the one that comes next in the tree.
type heap struct {
	place       int
	rank        int
	left, right *heap
}

func (h *heap) height() int {
	if h == nil {
		return 0
	}
	return h.rank
}

func (s *structurer) meld(a, b *heap) *heap {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case s.sooner(b.place, a.place):
		a, b = b, a
	}
	left, right := a.left, s.meld(a.right, b)
	if left.height() < right.height() {
		left, right = right, left
	}
	return &heap{a.place, right.height() + 1, left, right}
}

// without removes a place that comes before all others.
func (s *structurer) without(h *heap, place int) *heap {
	for h != nil && h.place == place {
		h = s.meld(h.left, h.right)
	}
	return h
}
