package calc

import (
	"fmt"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/presburger/faces"
)

// faceFunctions are those on the faces of polyhedra.
var faceFunctions = []Function{
	{"faces", "s", "the faces of a polyhedron: each with its dimension, its directions and those it holds", on1(lattice(faces.Of), nil)},
	{"thick_faces", "s", "its faces where facets at a constant distance count as saturated", on1(lattice(faces.Thick), nil)},
}

// lattice writes a line for each face.
func lattice(f func(p.Set) (*faces.Lattice, error)) func(p.Set) (any, error) {
	return func(s p.Set) (any, error) {
		l, err := f(s)
		if err != nil {
			return nil, err
		}
		out := List{}
		for i, face := range l.Faces {
			line := fmt.Sprintf("%d: %s # dimension %d", i, face.Domain, face.Dim)
			if face.Dim > 0 {
				line += ", directions " + Vectors(face.Directions).String()
			}
			if len(face.Below) > 0 {
				line += fmt.Sprintf(", holds %v", face.Below)
			}
			out = append(out, line)
		}
		return out, nil
	}
}
