package calc

import (
	"strings"

	"github.com/irc-lang/irc/dialects/poly/codegen"
	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
)

// scheduleFunctions find schedules and make code of them.
var scheduleFunctions = []Function{
	{"schedule", "smm", "a schedule tree, by Pluto's algorithm: of the instances, what has to come after what, and what is better close", findSchedule},
	{"codegen", "t", "loops that execute the instances of a schedule in its order", makeCode},
	{"codegen_using", "msm", "the same of a map to times, where the parameters are in a set, and times related to separate[d], atomic[d] and unroll[d] have their dimension d so", makeCodeUsing},
}

// A Tree is a schedule with what there is to say of it.
type Tree struct {
	Root   *schedule.Node
	Notes  []string
	budget int64
}

// Lines are the tree in isl's notation, and the notes as comments.
func (t Tree) Lines() List {
	out := List{strings.TrimSpace(t.Root.String())}
	for _, note := range t.Notes {
		out = append(out, "# "+note)
	}
	return out
}

// String joins them.
func (t Tree) String() string { return t.Lines().String() }

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
	r, err := scheduler.Schedule(scheduler.Problem{Domain: domain, Validity: validity, Proximity: ms[1], Coincidence: validity}, scheduler.Options{Budget: domain.Budget()})
	if err != nil {
		return nil, err
	}
	return Tree{r.Tree, r.Notes, domain.Budget()}, nil
}

func makeCode(args []any) (any, error) {
	switch x := args[0].(type) {
	case Tree:
		return code(codegen.Generate(x.Root, p.Set{}, codegen.Options{Budget: x.budget}))
	case p.Map:
		return code(codegen.GenerateMap(x, p.Set{}, p.Map{}, codegen.Options{Budget: x.Budget()}))
	}
	return nil, errKinds{}
}

func makeCodeUsing(args []any) (any, error) {
	times, ok1 := args[0].(p.Map)
	context, ok2 := args[1].(p.Set)
	options, err := asMaps(args[2:])
	if !ok1 || !ok2 || err != nil {
		return nil, errKinds{}
	}
	return code(codegen.GenerateMap(times, context, options[0], codegen.Options{Budget: times.Budget()}))
}

// code is the text of loops.
func code(b *codegen.Block, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return strings.TrimSpace(b.String()), nil
}
