package main

import (
	"fmt"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// functions are the tables of tests of functions.
var functions = []kind{
	{name: "aff_bin_tests", check: binary, skip: notANumber},
	{name: "pw_aff_bin_tests", check: binary, skip: notANumber},
	{name: "aff_eval_tests", check: eval},
	{name: "pullback_tests", check: pullback},
	{name: "pma_equal_tests", check: equal, skip: notANumber},
	{name: "opt_tests", check: optimum},
	{name: "vertices_tests", check: vertices},
	{name: "simple_hull_tests", check: simpleHull, skip: func(row []value) bool { return row[0].text != "isl_set_simple_hull" }},
}

// notANumber tells functions without a value, which package presburger does not have:
// a function is not defined there.
func notANumber(row []value) bool {
	for _, v := range row {
		if strings.Contains(v.text, "NaN") {
			return true
		}
	}
	return false
}

func readFunctions(texts ...value) (out []p.PwAff, err error) {
	for _, t := range texts {
		f, err := p.ParsePwAff(t.text)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// binary is a row with two functions, an operator between them, and the result.
func binary(row []value) error {
	fs, err := readFunctions(row[0], row[2], row[3])
	if err != nil {
		return err
	}
	var r p.PwAff
	switch row[1].text {
	case "'+'":
		r, err = fs[0].Add(fs[1])
	case "'-'":
		r, err = fs[0].Sub(fs[1])
	case "'*'":
		r, err = fs[0].Mul(fs[1])
	case "'/'":
		v, ok, err := fs[1].Eval([]p.Int{p.NewInt(0)}, nil)
		if !ok || err != nil {
			return fmt.Errorf("no constant divisor: %v", err)
		}
		r = fs[0].Scale(p.Rat{Num: v.Den, Den: v.Num})
	case "'m'":
		r, err = fs[0].Min(fs[1])
	case "'M'":
		r, err = fs[0].Max(fs[1])
	default:
		return fmt.Errorf("unknown operator %s", row[1].text)
	}
	if err != nil {
		return err
	}
	if yes, err := r.IsEqual(fs[2]); !yes || err != nil {
		return fmt.Errorf("%s %v", r, err)
	}
	return nil
}

// eval is a row with a function, a point, and the value there or NaN.
func eval(row []value) error {
	f, err := p.ParsePwAff(row[0].text)
	if err != nil {
		return err
	}
	s, err := p.ParseSet(row[1].text)
	if err != nil {
		return err
	}
	at, some, err := s.Sample()
	if err != nil {
		return err
	}
	got := "NaN"
	if some {
		v, ok, err := f.Eval(at.Coords, at.Params)
		if err != nil {
			return err
		}
		if ok {
			got = v.String()
		}
	}
	if got != row[2].text {
		return fmt.Errorf("%s", got)
	}
	return nil
}

func readMultis(texts ...value) (out []p.PwMultiAff, err error) {
	for _, t := range texts {
		f, err := p.ParsePwMultiAff(t.text)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func pullback(row []value) error {
	fs, err := readMultis(row...)
	if err != nil {
		return err
	}
	r, err := fs[0].Pullback(fs[1])
	if err != nil {
		return err
	}
	if yes, err := r.IsEqual(fs[2]); !yes || err != nil {
		return fmt.Errorf("%s %v", r, err)
	}
	return nil
}

func equal(row []value) error {
	fs, err := readMultis(row[1:]...)
	if err != nil {
		return err
	}
	return answer(row[0].text)(fs[0].IsEqual(fs[1]))
}

// optimum is a row with a set, an objective, the function that is called, and its
// value.
func optimum(row []value) error {
	s, err := p.ParseSet(row[0].text)
	if err != nil {
		return err
	}
	f, err := p.ParseAff(row[1].text)
	if err != nil {
		return err
	}
	call := s.MaxVal
	if row[2].text == "isl_set_min_val" {
		call = s.MinVal
	}
	v, err := call(f)
	if err != nil {
		return err
	}
	if v.String() != row[3].text {
		return fmt.Errorf("%s", v)
	}
	return nil
}

// vertices is a row with a polytope, the number of its vertices, and them.
func vertices(row []value) error {
	s, err := p.ParseSet(row[0].text)
	if err != nil {
		return err
	}
	vs, err := s.Vertices()
	if err != nil {
		return err
	}
	if len(vs) != len(row[2].items) {
		return fmt.Errorf("%d vertices: %v", len(vs), vs)
	}
next:
	for _, v := range row[2].items {
		want, err := p.ParsePwMultiAff(v.text)
		if err != nil {
			return err
		}
		for _, x := range vs {
			f, err := x.Expr.PwMultiAff().IntersectDomain(x.Domain)
			if err != nil {
				return err
			}
			if yes, err := f.IsEqual(want); yes && err == nil {
				continue next
			}
		}
		return fmt.Errorf("no vertex %s in %v", v.text, vs)
	}
	return nil
}

func simpleHull(row []value) error {
	s, err := read(row[1].text)
	if err != nil {
		return err
	}
	h, err := s.SimpleHull()
	if err != nil {
		return err
	}
	return is(h, row[2].text)
}
