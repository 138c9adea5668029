package plate

// place gives vertices their places across: each as near to the mean of its neighbours
// as the order in its layer allows, downwards and upwards in turn.
func (c *container) place() {
	for _, l := range c.layers {
		x := 0.0
		for k, v := range l {
			if k > 0 {
				x += distance(l[k-1], v)
			}
			v.x = x
		}
	}
	for k := range 2 * sweeps {
		both := k >= sweeps
		if k%2 == 0 {
			for i := range c.layers {
				c.settle(i, func(v *vertex) []link { return neighbours(v, v.up, both) })
			}
		} else {
			for i := len(c.layers) - 1; i >= 0; i-- {
				c.settle(i, func(v *vertex) []link { return neighbours(v, v.down, both) })
			}
		}
	}
	c.gather()
}

// gather brings vertices without neighbours to those beside them: nothing drew them
// along when the others moved.
func (c *container) gather() {
	lone := func(v *vertex) bool { return len(v.up)+len(v.down) == 0 }
	sum, n := 0.0, 0.0
	for _, l := range c.layers {
		for _, v := range l {
			if !lone(v) {
				sum, n = sum+v.x, n+1
			}
		}
	}
	for _, l := range c.layers {
		first, last := -1, -1 // of those with neighbours
		for k, v := range l {
			if !lone(v) {
				if first < 0 {
					first = k
				}
				last = k
			}
		}
		if first < 0 {
			if n == 0 || len(l) == 0 {
				continue
			}
			first, last = 0, 0
			l[0].x = sum / n
			for k := 1; k < len(l); k++ {
				l[0].x -= distance(l[k-1], l[k]) / 2
			}
		}
		for k := first - 1; k >= 0; k-- {
			l[k].x = l[k+1].x - distance(l[k], l[k+1])
		}
		for k := last + 1; k < len(l); k++ {
			l[k].x = l[k-1].x + distance(l[k-1], l[k])
		}
	}
}

func neighbours(v *vertex, side []link, both bool) []link {
	if !both && len(side) > 0 {
		return side
	}
	return append(v.up[:len(v.up):len(v.up)], v.down...)
}

// distance is how far the centres of neighbours in a layer are apart at least.
func distance(a, b *vertex) float64 {
	gap := nodeGap
	if a.thin() || b.thin() {
		gap = passGap
	}
	return a.w/2 + gap + b.w/2
}

func (v *vertex) thin() bool { return v.kind != aNode && v.kind != aPlate }

// settle moves the vertices of a layer towards their neighbours. With what must lie
// between them taken off, places are any ascending numbers, and the nearest ascending
// ones in the sense of least squares are means of blocks (pool adjacent violators).
func (c *container) settle(i int, side func(*vertex) []link) {
	l := c.layers[i]
	type block struct {
		sum, weight float64
		n           int
	}
	var blocks []block
	offset := make([]float64, len(l))
	for k, v := range l {
		if k > 0 {
			offset[k] = offset[k-1] + distance(l[k-1], v)
		}
		want, weight := v.x, 0.1
		if links := side(v); len(links) > 0 {
			sum := 0.0
			for _, x := range links {
				sum += x.to.x + x.toDx - x.dx
			}
			want, weight = sum/float64(len(links)), 1
			if v.kind == aPass {
				weight = 2 // edges are straight rather than nodes in the middle
			}
		}
		b := block{(want - offset[k]) * weight, weight, 1}
		for len(blocks) > 0 && blocks[len(blocks)-1].sum/blocks[len(blocks)-1].weight > b.sum/b.weight {
			last := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			b = block{b.sum + last.sum, b.weight + last.weight, b.n + last.n}
		}
		blocks = append(blocks, b)
	}
	k := 0
	for _, b := range blocks {
		for range b.n {
			l[k].x = b.sum/b.weight + offset[k]
			k++
		}
	}
}

// size finds the size of a container and moves what is in it to its place there.
func (l *layout) size(c *container) {
	left, right := 1e9, -1e9
	for _, layer := range c.layers {
		for _, v := range layer {
			room := 0.0
			if v.kind == aNode && l.self[v.id] {
				room = selfRoom
			}
			left, right = min(left, v.x-v.w/2), max(right, v.x+v.w/2+room)
		}
	}
	if left > right {
		left, right = 0, 0
	}
	lastPort := left
	for _, v := range c.bottoms {
		lastPort = max(lastPort, v.x+passWidth/2)
	}
	c.w = right - left + 2*pad
	if c.plate >= 0 {
		c.w = max(c.w, lastPort-left+c.label+3*pad)
	}
	shift := pad - left
	y := pad
	for i, layer := range c.layers {
		height := 0.0
		for _, v := range layer {
			height = max(height, v.h)
			if v.kind == aNode || v.kind == aPlate {
				height = max(height, v.h+2*headRoom)
			}
		}
		edge := i == 0 || i == len(c.layers)-1
		switch {
		case edge && i == 0:
			y = 0
		case edge && c.plate >= 0:
			y += labelStrip - boolTo(len(c.bottoms) == 0)*pad
		}
		for _, v := range layer {
			v.x += shift
			v.top, v.bottom, v.y = y, y+height, y+height/2
		}
		switch {
		case i == 0 && len(layer) > 0:
			y += layerGap * 0.8
		case i == 0:
			y += pad
		case i == len(c.layers)-2 && len(c.bottoms) == 0:
			y += pad
		case i < len(c.layers)-1:
			y += height + layerGap - boolTo(i == len(c.layers)-2)*layerGap*0.2
			continue
		}
		y += height
	}
	c.h = y
}

// headRoom is above and below what stands in a layer: edges are upright there.
const headRoom = headLength + 2

func boolTo(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// absolute moves what is in a container to its place on the page.
func (l *layout) absolute(plate int, x, y float64) {
	c := l.containers[plate]
	for _, layer := range c.layers {
		for _, v := range layer {
			v.x, v.y, v.top, v.bottom = v.x+x, v.y+y, v.top+y, v.bottom+y
			if v.kind == aPlate {
				l.absolute(v.id, v.x-v.w/2, v.y-v.h/2)
			}
		}
	}
}
