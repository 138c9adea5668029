package commands

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// sizes are the values that -D gives the parameters of a system; nil where nothing is given.
func sizes(sys *poly.System, given map[string]string) (map[string]presburger.Int, error) {
	if len(given) == 0 {
		return nil, nil
	}
	out := map[string]presburger.Int{}
	for _, p := range sys.Params {
		text, ok := given[p]
		if !ok {
			return nil, diag.Errorf(diag.Span{}, "the parameter %s of the program has no value", p).WithFix("give it, too: -D %s=100", p)
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, diag.Errorf(diag.Span{}, "-D %s=%s is no integer of 64 bits", p, text)
		}
		out[p] = presburger.NewInt(n)
	}
	ok, err := sys.Context.AlignParams(sys.Params...).Contains(nil, out)
	if err != nil || ok {
		return out, err
	}
	at := lists.Map(sys.Params, func(p string) string { return p + " = " + out[p].String() })
	return nil, diag.Errorf(diag.Span{}, "%s is not what the program says of its parameters: %s", strings.Join(at, ", "), sys.Context)
}

// areParameters refuses values of what is no parameter of a system.
func areParameters(systems []*poly.System, given map[string]string) error {
	var params []string
	for _, sys := range systems {
		params = append(params, sys.Params...)
	}
	slices.Sort(params)
	params = slices.Compact(params)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(params, name) {
			continue
		}
		fix := "its parameters are " + strings.Join(params, ", ")
		if near := diag.Nearest(name, params); near != "" {
			fix = "did you mean " + near + "?"
		}
		return diag.Errorf(diag.Span{}, "the program has no parameter %s", name).WithFix("%s", fix)
	}
	return nil
}
