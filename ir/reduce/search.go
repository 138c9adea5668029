package reduce

import (
	"context"
	"sync"

	"github.com/irc-lang/irc/ir"
)

// candidate is a program that was read back from its text; a mere text has no graph.
type candidate struct {
	text  string
	g     *ir.Graph
	score int
}

func (r *reducer) keep(c candidate) {
	r.best, r.g, r.score = c.text, c.g, c.score
	if r.opts.Progress == nil {
		return
	}
	p := Progress{Bytes: len(r.best)}
	if r.g != nil {
		p.Ops = len(sites(r.g))
	}
	r.mu.Lock()
	p.Checks = r.checks
	r.mu.Unlock()
	r.opts.Progress(p)
}

// holds asks the check, unless it is known to fail or the budget is used up.
func (r *reducer) holds(ctx context.Context, candidate string) bool {
	r.mu.Lock()
	if r.seen[candidate] || r.checks >= r.opts.MaxChecks || ctx.Err() != nil {
		r.mu.Unlock()
		return false
	}
	r.checks++
	r.mu.Unlock()
	ok := r.check(ctx, candidate)
	if ctx.Err() != nil {
		return false // given up: nobody knows
	}
	if !ok {
		r.mu.Lock()
		r.seen[candidate] = true
		r.mu.Unlock()
	}
	return ok
}

// first keeps the first of n candidates for which the check holds and returns its
// number, or n. make returns a candidate, false if there is none of that number.
//
// Workers take the numbers in order. One that succeeds ends those above it; those
// below it are waited for, so that what is kept does not depend on who was faster.
func (r *reducer) first(n int, make func(i int) (candidate, bool)) int {
	f := &finder{best: n, n: n, ends: map[int]context.CancelFunc{}}
	var wg sync.WaitGroup
	for range min(max(r.opts.Workers, 1), n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				i, ctx, ok := f.take(r)
				if !ok {
					return
				}
				c, ok := make(i)
				f.done(i, c, ok && r.holds(ctx, c.text))
			}
		}()
	}
	wg.Wait()
	if f.best < n {
		r.keep(f.found)
	}
	return f.best
}

// finder is the state that the workers of first share.
type finder struct {
	mu    sync.Mutex
	next  int
	n     int
	best  int // number of found, or n
	found candidate
	ends  map[int]context.CancelFunc // of those under way
}

func (f *finder) take(r *reducer) (i int, ctx context.Context, ok bool) {
	if !r.more() {
		return 0, nil, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next >= f.best {
		return 0, nil, false
	}
	i = f.next
	f.next++
	ctx, f.ends[i] = context.WithCancel(r.opts.Context)
	return i, ctx, true
}

func (f *finder) done(i int, c candidate, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ends[i]()
	delete(f.ends, i)
	if !ok || i > f.best {
		return
	}
	f.best, f.found = i, c
	for j, end := range f.ends {
		if j > i {
			end()
		}
	}
}

// A step is what is done to a program at once.
type step map[site]edit

// merge adds the edits of another step, if no op has one in both.
func (s step) merge(o step) {
	for at := range o {
		if _, ok := s[at]; ok {
			return
		}
	}
	for at, e := range o {
		s[at] = e
	}
}

// build makes the candidate of a step: a valid program of a lower score.
func (r *reducer) build(s step) (candidate, bool) {
	if len(s) == 0 {
		return candidate{}, false
	}
	g, ok := rebuild(r.g, s)
	if !ok {
		return candidate{}, false
	}
	out, ok := r.print(g, r.generic)
	if !ok {
		return candidate{}, false
	}
	return r.reread(out)
}

// reread makes a candidate of a text that is a valid program of a lower score.
func (r *reducer) reread(out string) (candidate, bool) {
	g, ok := r.parse(out)
	if !ok || r.lawful && !r.valid(g) {
		return candidate{}, false
	}
	c := candidate{out, g, score(g)}
	return c, c.score < r.score
}

// steps keeps the first step that holds and returns its number, or how many there are.
func (r *reducer) steps(all []step) int {
	return r.first(len(all), func(i int) (candidate, bool) { return r.build(all[i]) })
}

// A rule lists the steps that begin at an op of a program.
type rule func(p *program, s site) []step

// each tries the steps of a rule op by op, last op first: users go before what
// they use. After a success the program is another, and the rule looks at the op
// that is now in this place, and at those before it.
func (r *reducer) each(rule rule) {
	for at := -1; r.more(); {
		p := newProgram(r.g)
		if at < 0 || at >= len(p.sites) {
			at = len(p.sites) - 1
		}
		var all []step
		var of []int
		for i := at; i >= 0; i-- {
			for _, s := range rule(p, p.sites[i]) {
				all, of = append(all, s), append(of, i)
			}
		}
		n := r.steps(all)
		if n == len(all) {
			return
		}
		at = of[n]
	}
}

// whole tries a rule on all ops as long as a step holds: each may make others
// possible anywhere.
func (r *reducer) whole(rule rule) {
	for r.more() {
		before := r.score
		r.each(rule)
		if r.score == before {
			return
		}
	}
}

// together tries the first steps of a rule on all ops at once, as long as that
// holds, and on halves of them, and so on down to an eighth.
func (r *reducer) together(rule rule) {
	for parts := 1; parts <= 8 && r.more(); {
		p := newProgram(r.g)
		var firsts []step
		for _, s := range p.sites {
			if of := rule(p, s); len(of) > 0 {
				firsts = append(firsts, of[0])
			}
		}
		if len(firsts) < 2*parts {
			return
		}
		all := make([]step, parts)
		for i := range all {
			all[i] = step{}
			for _, s := range firsts[len(firsts)*i/parts : len(firsts)*(i+1)/parts] {
				all[i].merge(s)
			}
		}
		if r.steps(all) == parts {
			parts *= 2
		}
	}
}

// drops leaves out runs of ops, long ones first, from the last to the first. A run
// starts and ends anywhere; what is inside of a dropped op goes with it.
func (r *reducer) drops() {
	for n := (len(sites(r.g)) + 1) / 2; n >= 1 && r.more(); n /= 2 {
		for end := len(sites(r.g)); end > 0 && r.more(); {
			all := sites(r.g)
			end = min(end, len(all))
			runs := (end + n - 1) / n
			i := r.first(runs, func(i int) (candidate, bool) {
				to := end - i*n
				s := step{}
				for _, at := range all[max(to-n, 0):to] {
					if at.droppable() {
						s[at] = edit{kind: drop}
					}
				}
				return r.build(s)
			})
			end -= (i + 1) * n
		}
	}
}
