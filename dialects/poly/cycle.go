package poly

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// cycle tells of elements that need one another.
func (d *demand) cycle(a *elements, cell int) error {
	from := len(d.frames) - 1
	for from > 0 && (d.frames[from].a != a || d.frames[from].cell != cell) {
		from--
	}
	return d.circle(from, element(a.array.Name, a.indexOf(cell)))
}

// cycleBy tells of an element that needs an instance of a keyed statement which needs the element.
func (d *demand) cycleBy(k *keyed, inst int) error {
	from := len(d.frames) - 1
	for from > 0 {
		if x := d.frames[from]; x.now == int32(inst+1) && x.a.keyed[x.key] == k {
			break
		}
		from--
	}
	return d.circle(from, element(k.Name, k.at(inst)))
}

// circle shows what needs what from a frame on, and in the end what that begins with.
func (d *demand) circle(from int, end string) error {
	var path []string
	for i, f := range d.frames[from:] {
		if n := len(d.frames) - from; n > diag.MaxShown && i >= diag.MaxShown/2 && i < n-diag.MaxShown/2 {
			if i == diag.MaxShown/2 {
				path = append(path, "...")
			}
			continue
		}
		what := ""
		if !f.alone {
			what = element(f.a.array.Name, f.a.indexOf(f.cell))
		}
		if f.inst != 0 || f.now != 0 {
			st, at := f.instance()
			if what += " by " + element(st.Name, at); f.alone {
				what = element(st.Name, at)
			}
		}
		path = append(path, what)
	}
	path = append(path, end)
	return ir.Trapf("the equations go round in a circle: %s", strings.Join(path, " needs "))
}
