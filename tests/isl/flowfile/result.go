package flowfile

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// A Result is what isl prints of a flow.
type Result struct{ Must, May, MustNoSource, MayNoSource presburger.Map }

// ReadResult reads isl's text of a flow.
func ReadResult(text string) (r Result, err error) {
	y, err := readYAML(text)
	if err != nil {
		return r, err
	}
	to := map[string]*presburger.Map{"must_dependence": &r.Must, "may_dependence": &r.May,
		"must_no_source": &r.MustNoSource, "may_no_source": &r.MayNoSource}
	if len(y.keys) != len(to) {
		return r, fmt.Errorf("a flow has %d relations, not %d", len(to), len(y.keys))
	}
	for i, key := range y.keys {
		if to[key] == nil {
			return r, fmt.Errorf("unknown relation %s", key)
		}
		if *to[key], err = presburger.ParseMap(y.vals[i].text); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Differ names the first relation that is not the same in both, or nothing.
func (r Result) Differ(s Result) (string, error) {
	for _, p := range []struct {
		name string
		a, b presburger.Map
	}{{"must_dependence", r.Must, s.Must}, {"may_dependence", r.May, s.May},
		{"must_no_source", r.MustNoSource, s.MustNoSource}, {"may_no_source", r.MayNoSource, s.MayNoSource}} {
		if eq, err := p.a.IsEqual(p.b); !eq || err != nil {
			return p.name, err
		}
	}
	return "", nil
}
