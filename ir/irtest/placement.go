package irtest

import (
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// Placed says on which level the schedule has ops: for each op that want names, the ops around
// each of its occurrences, in order. "muli for, emit for/if for/if.1, divsi top" has a product in a
// loop, emits in both branches of an if in it, and a quotient around it: if.1 is the second
// region of an if, top the body of a function. What occurs nowhere is "nowhere".
func Placed(g *ir.Graph, want string) string {
	at := map[string][]string{}
	placed(ir.ScheduleOf(g), ir.Root, "top", at)
	var out []string
	for _, x := range strings.Split(want, ", ") {
		name, _, _ := strings.Cut(x, " ")
		places := at[name]
		if len(places) == 0 {
			places = []string{"nowhere"}
		}
		out = append(out, name+" "+strings.Join(places, " "))
	}
	return strings.Join(out, ", ")
}

// placed notes where the ops of a region, and of those in it, stand.
func placed(s *ir.Schedule, r ir.Region, path string, at map[string][]string) {
	g := s.Graph()
	for _, v := range s.Body(r) {
		name := g.Def(v).Name[strings.Index(g.Def(v).Name, ".")+1:]
		at[name] = append(at[name], path)
		for i, in := range g.Regions(v) {
			placed(s, in, below(path, name, i), at)
		}
		for _, c := range g.Children(v) {
			placed(ir.ScheduleOf(c), ir.Root, "top", at)
		}
	}
}

func below(path, name string, region int) string {
	if region > 0 {
		name += "." + strconv.Itoa(region)
	}
	if path == "top" {
		return name
	}
	return path + "/" + name
}
