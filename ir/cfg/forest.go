package cfg

// forest holds trees that grow from their roots down, with ancestors found in logarithmic time by jump pointers (Myers,
// "An Applicative Random-Access Stack", 1983).
type forest struct{ parent, jump, depth []int32 }

func newForest(n int) *forest {
	f := &forest{make([]int32, n), make([]int32, n), make([]int32, n)}
	for i := range f.parent {
		f.parent[i], f.depth[i] = -1, -1
	}
	return f
}

// add puts x under p, which is there already; -1 makes x a root.
func (f *forest) add(x, p int) {
	f.parent[x] = int32(p)
	if p < 0 {
		f.jump[x], f.depth[x] = int32(x), 0
		return
	}
	j := f.jump[p]
	f.depth[x] = f.depth[p] + 1
	if f.depth[p]-f.depth[j] == f.depth[j]-f.depth[f.jump[j]] {
		f.jump[x] = f.jump[j]
	} else {
		f.jump[x] = int32(p)
	}
}

// common is the lowest common ancestor of two nodes of one tree.
func (f *forest) common(a, b int) int {
	if f.depth[a] < f.depth[b] {
		a, b = b, a
	}
	for f.depth[a] > f.depth[b] {
		if j := f.jump[a]; f.depth[j] >= f.depth[b] {
			a = int(j)
		} else {
			a = int(f.parent[a])
		}
	}
	for a != b {
		if f.jump[a] != f.jump[b] {
			a, b = int(f.jump[a]), int(f.jump[b])
		} else {
			a, b = int(f.parent[a]), int(f.parent[b])
		}
	}
	return a
}

// sets are disjoint sets of numbers, each with one that stands for it.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) find(x int32) int32 {
	for s[x] != x {
		s[x] = s[s[x]]
		x = s[x]
	}
	return x
}

// join puts a's set into b's; b's keeps who stands for it.
func (s sets) join(a, b int32) int32 {
	a, b = s.find(a), s.find(b)
	s[a] = b
	return b
}
