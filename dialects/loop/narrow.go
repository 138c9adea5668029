package loop

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Dead fields: as a collection of structs is one of each field, a field that nobody reads is a
// result that nobody uses.
var prune = []ir.Cleanup{
	{Of: For, Rule: "what a loop makes for nobody is left out", Do: pruneFor},
	{Of: For, Rule: "a collection of which only the length is asked is counted", Do: countFor},
}

// narrowed is what is kept of a generator.
type narrowed struct {
	gen     Generator
	tuple   []int      // places in what the old one takes
	results []int      // places in what the old one gives
	combine []combined // of the generators in it that combine by a region, in order
	counts  bool       // it takes 1 for each tuple
}

// combined is what is kept of a region that combines tuples.
type combined struct {
	region int   // of the loop
	keep   []int // places in its tuples
	size   int   // of its tuples
	ids    int   // operand of the loop that is its first identity
}

// A narrower says what generators keep; region and ids are those of the next one that combines
// by a region.
type narrower struct {
	g           *ir.Graph
	regions     []ir.Region
	region, ids int
}

// narrow keeps of a generator what is needed for the results that are used; ok is false if none is.
func (w *narrower) narrow(x Generator, used []bool) (out narrowed, ok bool) {
	ok = slices.Contains(used, true)
	out.gen = x
	if x.Kind == BucketKind {
		w.narrowBucket(x, used, &out)
		return out, ok
	}
	keep := placesOf(used)
	if x.Kind == EmitKind {
		keep = upTo(len(x.Types))
		out.results = placesOf(used)
	}
	if x.IsRegional() {
		keep = w.closure(w.regions[w.region], keep, len(x.Types))
		out.combine = []combined{{region: w.region, keep: keep, size: len(x.Types), ids: w.ids}}
		w.region, w.ids = w.region+1, w.ids+len(x.Types)
	}
	out.tuple, out.gen.Types = keep, pickFrom(x.Types, keep)
	if x.Kind != EmitKind {
		out.results = keep
	}
	return out, ok
}

// narrowBucket keeps the groups and the generators in them that are used.
func (w *narrower) narrowBucket(x Generator, used []bool, out *narrowed) {
	out.tuple, out.results, out.gen.Inner = upTo(len(x.Types)), []int{0}, nil
	from, result := len(x.Types), 1
	for _, inner := range x.Inner {
		n := len(inner.Results(w.g.Ctx))
		in, ok := w.narrow(inner, used[result:result+n])
		if ok {
			out.gen.Inner = append(out.gen.Inner, in.gen)
			out.tuple = append(out.tuple, shifted(in.tuple, from)...)
			out.results = append(out.results, shifted(in.results, result)...)
			out.combine = append(out.combine, in.combine...)
		}
		from, result = from+len(inner.Tuple()), result+n
	}
}

// closure adds to the values of a tuple those that are needed to combine them.
func (w *narrower) closure(r ir.Region, keep []int, n int) []int {
	if len(keep) == 0 {
		return keep
	}
	live, seen := make([]bool, n), map[ir.Value]bool{}
	ys := w.g.Yields(r)
	var visit func(v ir.Value)
	need := func(i int) {
		if !live[i] {
			live[i] = true
			visit(ys[i])
		}
	}
	visit = func(v ir.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		if of, i, ok := w.g.Param(v); ok {
			if of == r {
				need(i % n)
			}
			return
		}
		for _, a := range slices.Concat(w.g.Args(v), w.g.Hard(v)) {
			visit(a)
		}
		for _, in := range w.g.Regions(v) {
			for _, m := range w.g.Members(in) {
				visit(m)
			}
		}
	}
	for _, e := range w.g.Effs(r) {
		visit(e)
	}
	for _, i := range keep {
		need(i)
	}
	return placesOf(live)
}

func placesOf(flags []bool) (out []int) {
	for i, f := range flags {
		if f {
			out = append(out, i)
		}
	}
	return out
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func shifted(places []int, by int) []int {
	return lists.Map(places, func(p int) int { return p + by })
}

func pickFrom[T any](xs []T, places []int) []T {
	return lists.Map(places, func(i int) T { return xs[i] })
}

// A remaking makes a loop again with less in it. regions makes one of its regions again, and
// returns what that yields.
type remaking struct {
	b       *ir.Builder
	list    []Generator
	args    []ir.Value
	regions func(i int, params []ir.Value) []ir.Value
}

// run makes the loop with what is kept of some of its generators, by their places; it returns
// the results of each.
func (r *remaking) run(places []int, kept []narrowed) [][]ir.Value {
	var list []Generator
	var ids []ir.Value
	var combine []func(xy []ir.Value) []ir.Value
	for _, k := range kept {
		list = append(list, k.gen)
		for _, x := range k.combine {
			ids = append(ids, pickFrom(r.args[x.ids:], x.keep)...)
			combine = append(combine, r.combine(x))
		}
	}
	all := BuildFor(r.b, r.args[0], list, ids, combine, func(i ir.Value) (out []ir.Value) {
		given := Split(r.b.Graph(), r.list, r.regions(0, []ir.Value{i}))
		for k, at := range places {
			out = append(out, kept[k].give(r.b, given[at])...)
		}
		return out
	})
	var out [][]ir.Value
	for _, g := range list {
		n := len(g.Results(r.b.Ctx()))
		out, all = append(out, all[:n:n]), all[n:]
	}
	return out
}

// combine combines narrower tuples: the identity stands for what is not there.
func (r *remaking) combine(x combined) func(xy []ir.Value) []ir.Value {
	return func(xy []ir.Value) []ir.Value {
		params := slices.Concat(r.args[x.ids:x.ids+x.size], r.args[x.ids:x.ids+x.size])
		for k, i := range x.keep {
			params[i], params[x.size+i] = xy[k], xy[len(x.keep)+k]
		}
		return pickFrom(r.regions(x.region, params), x.keep)
	}
}

// give makes of what the old generator is given what is kept of it.
func (k narrowed) give(b *ir.Builder, given []ir.Value) []ir.Value {
	if k.counts {
		return Bind(b, given[0], []ir.Type{EmitOf(b.Ctx(), ir.Index)}, func([]ir.Value) []ir.Value {
			return []ir.Value{b.Op(Emit, b.Index(1))}
		})
	}
	if !EmitsIn(b.Graph(), given) {
		return pickFrom(given, k.tuple)
	}
	if ts, _ := TupleOf(b.Ctx(), b.Graph().Type(given[0])); len(k.tuple) == len(ts) {
		return given
	}
	return Bind(b, given[0], []ir.Type{EmitOf(b.Ctx(), k.gen.Tuple()...)}, func(tuple []ir.Value) []ir.Value {
		return []ir.Value{b.Op(Emit, pickFrom(tuple, k.tuple)...)}
	})
}

// inMirror makes an old loop again in a new graph.
func inMirror(m *ir.Mirror, n ir.Node) *remaking {
	return &remaking{b: m.B, list: Generators(n), args: m.All(n.Args()), regions: func(i int, params []ir.Value) []ir.Value {
		return m.Body(n.Region(i), params...)
	}}
}

// measuredOnly says of each result of a loop whether it is used, and whether by other ops than
// loop.len.
func measuredOnly(n ir.Node) (used, read []bool) {
	used, read = n.UsedResults(), make([]bool, n.Graph().Results(n.Old()))
	for _, u := range n.Users() {
		if u.Def() == Len {
			continue
		}
		for _, a := range n.Graph().Args(u.Old()) {
			if w, i, _ := n.Graph().Projection(a); w == n.Old() {
				read[i] = true
			}
		}
	}
	return used, read
}

// pruneFor leaves out generators, and components of those that go on. Where others are left
// the length is asked of them.
func pruneFor(m *ir.Mirror, n ir.Node) ir.Value {
	g := n.Graph()
	used, read := measuredOnly(n)
	list := Generators(n)
	w := &narrower{g: g, regions: g.Regions(n.Old()), region: 1, ids: 1}
	given := Split(g, list, g.Yields(w.regions[0]))
	var places, at []int
	var kept []narrowed
	first, changed := 0, false
	for k, x := range list {
		count := len(x.Results(g.Ctx))
		need := read[first : first+count]
		if !slices.Contains(need, true) || x.Kind == BucketKind {
			need = used[first : first+count]
		}
		if EmitsIn(g, given[k]) && !Known(g, given[k][0]) && slices.Contains(need, true) {
			need = slices.Repeat([]bool{true}, count)
		}
		out, ok := w.narrow(x, need)
		if ok {
			places, at, kept = append(places, k), append(at, first), append(kept, out)
		}
		changed = changed || !ok || len(out.tuple) < len(x.Tuple())
		first += count
	}
	if !changed || len(kept) == 0 {
		return 0
	}
	return m.B.Pack(spread(inMirror(m, n), places, at, kept, first)...)
}

// spread lists what stands for the results of the old loop. A component that is asked for its
// length alone is another one of its generator, and what nobody uses is anything.
func spread(r *remaking, places, at []int, kept []narrowed, n int) []ir.Value {
	out := slices.Repeat([]ir.Value{r.args[0]}, n)
	for k, results := range r.run(places, kept) {
		for i := range r.list[places[k]].Results(r.b.Ctx()) {
			out[at[k]+i] = results[0]
		}
		for j, i := range kept[k].results {
			out[at[k]+i] = results[j]
		}
	}
	return out
}

// countFor counts the tuples of a collect or scan, where they are not as many as rounds. The
// indices below that number are a collection of that length.
func countFor(m *ir.Mirror, n ir.Node) ir.Value {
	g := n.Graph()
	used, read := measuredOnly(n)
	list := Generators(n)
	w := &narrower{g: g, regions: g.Regions(n.Old()), region: 1, ids: 1}
	given := Split(g, list, g.Yields(w.regions[0]))
	var kept []narrowed
	first, counted := 0, false
	for k, x := range list {
		count := len(x.Results(g.Ctx))
		out, _ := w.narrow(x, slices.Repeat([]bool{true}, count))
		if (x.Kind == CollectKind || x.Kind == ScanKind) && !slices.Contains(read[first:first+count], true) &&
			slices.Contains(used[first:first+count], true) && EmitsIn(g, given[k]) && Known(g, given[k][0]) {
			counted, out = true, counter
		}
		kept, first = append(kept, out), first+count
	}
	if !counted {
		return 0
	}
	out := make([]ir.Value, 0, first)
	for k, results := range inMirror(m, n).run(upTo(len(list)), kept) {
		if kept[k].counts {
			indices := BuildFor(m.B, results[0], []Generator{{Kind: CollectKind, Types: []ir.Type{ir.Index}}}, nil, nil, func(i ir.Value) []ir.Value { return []ir.Value{i} })
			results = slices.Repeat(indices, len(list[k].Types))
		}
		out = append(out, results...)
	}
	return m.B.Pack(out...)
}

// counter counts tuples in the place of a generator that collects them.
var counter = narrowed{gen: Counter(), counts: true}
