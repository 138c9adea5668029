package explain

import (
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/passes/dependence"
	"github.com/irc-lang/irc/tools/irc/internal/plate"
)

// dependenceLooks are those of the kinds of dependences, in their order, and of a requirement
// that any of several satisfies.
var dependenceLooks = []plate.EdgeStyle{
	{Name: "declaration", Colour: "#b0b4bd", Dash: "2 3"},
	{Name: "ordinary", Colour: "#222222"},
	{Name: "requirement", Colour: "#c0302a"},
	{Name: "trigger", Colour: "#d9822b", Dash: "7 3"},
	{Name: "fresh", Colour: "#2f6db0"},
	{Name: "initializer", Colour: "#3f9142"},
	{Name: "parameter", Colour: "#8e7cc3"},
	{Name: "any of several", Colour: "#c0302a", Dash: "5 3"},
}

const anyOf = 7

var classFills = map[dependence.Class]string{dependence.Declares: "#f1f1ee", dependence.Initialize: "#e3f3e3", dependence.Update: "#ffffff"}

// DrawDependences is the picture of -deps: statements are boxes, outputs with a bold
// border, dummies dashed, parameters small; loops are plates. An edge leads from what
// must come first.
func DrawDependences(name string, list []*dependence.Result) *plate.Model {
	d := &dependenceDrawer{m: &plate.Model{Title: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) + ": dependences", Styles: dependenceLooks},
		plates: map[*dependence.Loop]int{}, nodes: map[dependence.Node]int{}, seen: map[plate.Edge]bool{}}
	for _, r := range list {
		d.result(r)
	}
	return d.m
}

type dependenceDrawer struct {
	m      *plate.Model
	plates map[*dependence.Loop]int
	nodes  map[dependence.Node]int
	seen   map[plate.Edge]bool
}

func (d *dependenceDrawer) result(r *dependence.Result) {
	for _, i := range r.Infos {
		d.node(i.Statement, plate.Node{Label: i.ID + "  " + i.Text, Tip: i.Class().String() + ": " + i.Text, Kind: plate.Box,
			Fill: classFills[i.Class()], Bold: i.IsOutput, Plate: d.plate(i.Domain.Loops)})
	}
	for _, k := range r.Cliques {
		d.node(k, plate.Node{Label: k.ID + "  " + k.Text, Tip: "dummy statement: " + k.Text, Kind: plate.Dummy, Fill: "#fbf3dd", Plate: -1})
		for _, s := range k.Members {
			d.edge(s, k, dependence.Ordinary)
		}
	}
	for _, i := range r.Infos {
		for _, x := range i.Dependences {
			for _, n := range x.On {
				if v, ok := n.(*dependence.Variable); ok && !d.known(n) {
					d.node(n, plate.Node{Label: v.Name, Tip: "parameter", Kind: plate.Constant, Plate: -1})
				}
				look := x.Kind
				if len(x.On) > 1 {
					look = anyOf
				}
				d.edge(n, i.Statement, look)
			}
		}
	}
}

func (d *dependenceDrawer) known(n dependence.Node) bool { _, ok := d.nodes[n]; return ok }

func (d *dependenceDrawer) node(n dependence.Node, x plate.Node) {
	d.nodes[n] = len(d.m.Nodes)
	d.m.Nodes = append(d.m.Nodes, x)
}

func (d *dependenceDrawer) edge(from, to dependence.Node, look dependence.Kind) {
	e := plate.Edge{From: d.nodes[from], To: d.nodes[to], Style: int(look)}
	if !d.seen[e] {
		d.seen[e] = true
		d.m.Edges = append(d.m.Edges, e)
	}
}

// plate is that of the innermost of some loops.
func (d *dependenceDrawer) plate(loops []*dependence.Loop) int {
	at := -1
	for _, l := range loops {
		p, ok := d.plates[l]
		if !ok {
			p = len(d.m.Plates)
			d.plates[l] = p
			d.m.Plates = append(d.m.Plates, plate.Plate{Label: l.Name, Parent: at})
		}
		at = p
	}
	return at
}
