package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/tests/bench/report"
)

// A setOp applies an operation to sets or maps that are parsed already.
type setOp func(args []any) (any, error)

func onSets[R any](f func(p.Set, p.Set) (R, error), g func(p.Map, p.Map) (R, error)) setOp {
	return func(a []any) (any, error) {
		if s, ok := a[0].(p.Set); ok {
			return f(s, a[1].(p.Set))
		}
		return g(a[0].(p.Map), a[1].(p.Map))
	}
}

func onSet[R, Q any](f func(p.Set) (R, error), g func(p.Map) (Q, error)) setOp {
	return func(a []any) (any, error) {
		if s, ok := a[0].(p.Set); ok {
			return f(s)
		}
		return g(a[0].(p.Map))
	}
}

func onMap[R any](f func(p.Map) R) setOp {
	return func(a []any) (any, error) { return f(a[0].(p.Map)), nil }
}

// setOps are the operations of sets.json that isl has.
var setOps = map[string]setOp{
	"intersect": func(a []any) (any, error) {
		if s, ok := a[0].(p.Set); ok {
			return s.Intersect(a[1].(p.Set))
		}
		return a[0].(p.Map).Intersect(a[1].(p.Map))
	},
	"union": func(a []any) (any, error) {
		if s, ok := a[0].(p.Set); ok {
			return s.Union(a[1].(p.Set)), nil
		}
		return a[0].(p.Map).Union(a[1].(p.Map)), nil
	},
	"subtract": func(a []any) (any, error) {
		if s, ok := a[0].(p.Set); ok {
			return s.Subtract(a[1].(p.Set))
		}
		return a[0].(p.Map).Subtract(a[1].(p.Map))
	},
	"is_subset": onSets(p.Set.IsSubset, p.Map.IsSubset),
	"is_equal":  onSets(p.Set.IsEqual, p.Map.IsEqual),
	"is_empty":  onSet(p.Set.IsEmpty, p.Map.IsEmpty),
	"coalesce":  onSet(p.Set.Coalesce, p.Map.Coalesce),
	"lexmin":    onSet(p.Set.LexMin, p.Map.LexMin),
	"lexmax":    onSet(p.Set.LexMax, p.Map.LexMax),
	"range":     onMap(p.Map.Range),
	"domain":    onMap(p.Map.Domain),
	"inverse":   onMap(p.Map.Inverse),
	"deltas":    onMap(p.Map.Deltas),
	"apply":     func(a []any) (any, error) { return a[0].(p.Set).Apply(a[1].(p.Map)) },
	"compose":   func(a []any) (any, error) { return a[0].(p.Map).Compose(a[1].(p.Map)) },
}

// A setCase is one line of sets.json.
type setCase struct {
	Op     string   `json:"op"`
	Inputs []string `json:"inputs"`
	Extra  *string  `json:"extra"`
}

// request is the operation and its arguments in the words of the oracle.
func (c setCase) request() []string {
	out := append([]string{c.Op}, c.Inputs...)
	if c.Extra != nil {
		out = append(out, *c.Extra)
	}
	return out
}

// op is the operation, or nil.
func (c setCase) op() setOp {
	if c.Op == "project" && c.Extra != nil {
		var first, n int
		if _, err := fmt.Sscanf(*c.Extra, "set,%d,%d", &first, &n); err == nil {
			return func(a []any) (any, error) { return a[0].(p.Set).ProjectOut(first, n) }
		}
	}
	return setOps[c.Op]
}

// parse reads the inputs as sets and maps.
func (c setCase) parse() ([]any, error) {
	out := make([]any, len(c.Inputs))
	for i, text := range c.Inputs {
		s, m, isMap, err := p.Parse(text)
		switch {
		case err != nil:
			return nil, err
		case isMap:
			out[i] = m
		default:
			out[i] = s
		}
	}
	return out, nil
}

// ours is the time of the operation alone in microseconds.
func (c setCase) ours() (float64, error) {
	op := c.op()
	return timeAlone(func(n int) (func() error, error) {
		all := make([][]any, n)
		for i := range all {
			var err error
			if all[i], err = c.parse(); err != nil {
				return nil, err
			}
		}
		return func() error {
			for _, args := range all {
				if _, err := op(args); err != nil {
					return err
				}
			}
			return nil
		}, nil
	})
}

// agrees compares our result with isl's.
func (c setCase) agrees(peer *isl) error {
	args, err := c.parse()
	if err != nil {
		return err
	}
	got, err := c.op()(args)
	want, islErr := peer.ask(c.request()...)
	if err != nil || islErr != nil {
		return errors.Join(err, islErr)
	}
	if b, ok := got.(bool); ok {
		if fmt.Sprint(b) != want {
			return fmt.Errorf("%s %q: %v, isl says %s", c.Op, c.Inputs, b, want)
		}
		return nil
	}
	same, err := peer.ask("is_equal", fmt.Sprint(got), want)
	if err == nil && same != "true" {
		err = fmt.Errorf("%s %q: isl has another result", c.Op, c.Inputs)
	}
	return err
}

// A means sums the logarithms of two times.
type means struct {
	ours, peer float64
	n          int
}

func (m *means) add(ours, peer float64) {
	m.ours += math.Log(ours)
	m.peer += math.Log(peer)
	m.n++
}

func (m *means) join(o means) { m.ours, m.peer, m.n = m.ours+o.ours, m.peer+o.peer, m.n+o.n }

func (b *bench) addMeans(group, what string, m means, most float64, target string) {
	n := float64(m.n)
	b.table.Compare(group, what, "us", math.Exp(m.ours/n), math.Exp(m.peer/n), most, target)
}

// readSets lists the cases of sets.json that isl has, and their texts.
func (b *bench) readSets() (cases []setCase, texts []string, err error) {
	root, err := repository()
	if err != nil {
		return nil, nil, err
	}
	data, err := readText(filepath.Join(root, "dialects/poly/presburger/testdata/sets.json"))
	if err != nil {
		return nil, nil, err
	}
	var all []setCase
	if err := json.Unmarshal([]byte(data), &all); err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for i, c := range all {
		if c.op() == nil || b.quick && i%10 > 0 {
			continue
		}
		cases = append(cases, c)
		for _, t := range c.Inputs {
			if !seen[t] {
				seen[t] = true
				texts = append(texts, t)
			}
		}
	}
	return cases, texts, nil
}

// sets times the operations of sets.json alone, kind by kind, beside isl.
func (b *bench) sets() error {
	peer, err := b.startISL()
	if err != nil {
		return err
	}
	defer peer.close()
	cases, texts, err := b.readSets()
	if err != nil {
		return err
	}
	kinds, total := map[string]*means{}, means{}
	for _, c := range cases {
		if b.ctx.Err() != nil {
			return b.ctx.Err()
		}
		if err := c.agrees(peer); err != nil {
			return err
		}
		ours, err := c.ours()
		if err != nil {
			return err
		}
		theirs, err := peer.time(c.request()...)
		if err != nil {
			return err
		}
		if kinds[c.Op] == nil {
			kinds[c.Op] = &means{}
		}
		kinds[c.Op].add(ours, theirs)
		if b.verbose && ours > 3*theirs {
			b.table.Add(report.Row{Group: "sets", What: fmt.Sprintf("  %s %q", c.Op, c.Inputs), Unit: "us", Ours: ours, Peer: theirs, Ratio: ours / theirs})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		b.addMeans("sets", fmt.Sprintf("%s: %d cases", k, kinds[k].n), *kinds[k], 3, "<= 3")
		total.join(*kinds[k])
	}
	b.addMeans("sets", fmt.Sprintf("all %d operations alone, geometric mean", total.n), total, 1, "<= 1")
	return b.texts(peer, texts)
}

// texts times reading and printing.
func (b *bench) texts(peer *isl, texts []string) error {
	var reading, printing means
	for _, t := range texts {
		c := setCase{Inputs: []string{t}}
		read, err := timeAlone(func(n int) (func() error, error) {
			return func() error {
				for range n {
					if _, err := c.parse(); err != nil {
						return err
					}
				}
				return nil
			}, nil
		})
		if err != nil {
			return err
		}
		value, err := c.parse()
		if err != nil {
			return err
		}
		print, err := timeAlone(func(n int) (func() error, error) {
			return func() error {
				for range n {
					_ = value[0].(fmt.Stringer).String()
				}
				return nil
			}, nil
		})
		if err != nil {
			return err
		}
		r, err1 := peer.time("read", t)
		w, err2 := peer.time("print", t)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		reading.add(read, r)
		printing.add(print, w)
	}
	b.addMeans("sets", fmt.Sprintf("reading %d texts", len(texts)), reading, 1, "<= 1")
	b.addMeans("sets", "printing them", printing, 1, "<= 1")
	return nil
}
