package calc

import (
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
)

// scheduleFunctions find schedules.
var scheduleFunctions = []Function{
	{"schedule", "smm", "a schedule tree, by Pluto's algorithm: of the instances, what has to come after what, and what is better close", findSchedule},
}

// findSchedule takes no notice of instances that wait for themselves, as isl.
func findSchedule(args []any) (any, error) {
	domain, ok := args[0].(p.Set)
	if !ok {
		return nil, errKinds{}
	}
	ms, err := asMaps(args[1:])
	if err != nil {
		return nil, err
	}
	validity, err := ms[0].Subtract(domain.Universe().Identity())
	if err != nil {
		return nil, err
	}
	r, err := scheduler.Schedule(scheduler.Problem{Domain: domain, Validity: validity, Proximity: ms[1]}, scheduler.Options{Budget: domain.Budget()})
	if err != nil {
		return nil, err
	}
	out := List{strings.TrimSpace(r.Tree.String())}
	for _, note := range r.Notes {
		out = append(out, "# "+note)
	}
	return out, nil
}
