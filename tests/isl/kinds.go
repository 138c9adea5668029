package main

import (
	"fmt"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// A kind is a table of isl's tests and how a row of it is checked.
type kind struct {
	name  string
	check func(row []value) error
	skip  func(row []value) bool // rows of operations that are not here
}

var kinds = []kind{
	{name: "parse_map_equal_tests", check: func(row []value) error { return same(row[0].text, row[1].text) }},
	{name: "elimination_tests", check: func(row []value) error { return simple(row[0].text, p.Set.Coalesce) }},
	{name: "gist_tests", check: gist},
	{name: "coalesce_unbounded_tests", check: func(row []value) error { return coalesce(row[1].text, row[0].text) }},
	{name: "coalesce_tests", check: func(row []value) error { return coalesce(row[1].text, row[0].text) }},
	{name: "lexmin_tests", check: lexmin},
	{name: "sv_tests", check: func(row []value) error { return question(row[0].text, row[1].text, p.Map.IsSingleValued) }},
	{name: "bijective_tests", check: func(row []value) error { return question(row[0].text, row[1].text, p.Map.IsBijective) }},
	{name: "subset_tests", check: subset},
	{name: "subtract_domain_tests", check: subtractDomain},
	{name: "umap_bin_tests", check: intersection, skip: func(row []value) bool { return row[0].text != "isl_union_map_intersect" }},
	{name: "output_tests", check: func(row []value) error { return simple(row[0].text, nil) }},
	{name: "set_conversion_tests", check: func(row []value) error { return simple(row[0].text, nil) }},
	{name: "conversion_tests", check: func(row []value) error { return simple(row[0].text, nil) }},
	{name: "chambers_tests", check: func(row []value) error { return simple(row[0].text, p.Set.MakeDisjoint) }},
}

const budget = 200_000_000

// read reads a set or a map as a set: a map is wrapped.
func read(text string) (p.Set, error) {
	s, m, isMap, err := p.Parse(text)
	if isMap {
		s = m.Wrap()
	}
	return s.WithBudget(budget), err
}

func readMap(text string) (p.Map, error) {
	m, err := p.ParseMap(text)
	return m.WithBudget(budget), err
}

// same compares what two texts say.
func same(a, b string) error {
	x, err := read(a)
	if err != nil {
		return err
	}
	return is(x, b)
}

// is compares a result with a text.
func is(x p.Set, want string) error {
	y, err := read(want)
	if err != nil {
		return err
	}
	if yes, err := x.IsEqual(y); err != nil || !yes {
		return fmt.Errorf("%s, want %s %v", x, want, err)
	}
	return nil
}

// simple checks that an operation keeps a set, and that it is read as it is printed.
func simple(text string, f func(p.Set) (p.Set, error)) error {
	x, err := read(text)
	if err != nil {
		return err
	}
	if f != nil {
		if x, err = f(x); err != nil {
			return err
		}
	}
	if err := is(x, text); err != nil {
		return err
	}
	return is(x, x.String())
}

func coalesce(text, single string) error {
	x, err := read(text)
	if err != nil {
		return err
	}
	if x, err = x.Coalesce(); err != nil {
		return err
	}
	if err := is(x, text); err != nil {
		return err
	}
	if single == "1" && strings.Contains(x.String(), ";") {
		return errFewer
	}
	return nil
}

// gist compares within the context; what a gist says outside is free.
func gist(row []value) error {
	x, err := read(row[0].text)
	if err != nil {
		return err
	}
	context, err := read(row[1].text)
	if err != nil {
		return err
	}
	g, err := x.Gist(context)
	if err != nil {
		return err
	}
	inside, err := g.Intersect(context)
	if err != nil {
		return err
	}
	want, err := x.Intersect(context)
	if err != nil {
		return err
	}
	if err := is(inside, want.String()); err != nil {
		return err
	}
	if strings.Count(g.String(), " and ")+strings.Count(g.String(), ";") > strings.Count(row[2].text, " and ")+strings.Count(row[2].text, ";") {
		return errFewer
	}
	return nil
}

func lexmin(row []value) error {
	m, err := readMap(row[0].text)
	if err != nil {
		return err
	}
	if m, err = m.LexMin(); err != nil {
		return err
	}
	return is(m.Wrap().WithBudget(budget), row[1].text)
}

func question(text, want string, ask func(p.Map) (bool, error)) error {
	m, err := readMap(text)
	if err != nil {
		return err
	}
	return answer(want)(ask(m))
}

func answer(want string) func(bool, error) error {
	return func(yes bool, err error) error {
		if err == nil && yes != (want == "1") {
			err = fmt.Errorf("%v", yes)
		}
		return err
	}
}

func subset(row []value) error {
	a, err := read(row[0].text)
	if err != nil {
		return err
	}
	b, err := read(row[1].text)
	if err != nil {
		return err
	}
	return answer(row[2].text)(a.IsSubset(b))
}

func subtractDomain(row []value) error {
	m, err := readMap(row[0].text)
	if err != nil {
		return err
	}
	s, err := read(row[1].text)
	if err != nil {
		return err
	}
	inside, err := m.IntersectDomain(s)
	if err != nil {
		return err
	}
	rest, err := m.Subtract(inside)
	if err != nil {
		return err
	}
	return is(rest.Wrap(), row[2].text)
}

func intersection(row []value) error {
	a, err := readMap(row[1].text)
	if err != nil {
		return err
	}
	b, err := readMap(row[2].text)
	if err != nil {
		return err
	}
	if a, err = a.Intersect(b); err != nil {
		return err
	}
	return is(a.Wrap(), row[3].text)
}
