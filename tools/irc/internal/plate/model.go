package plate

// Kind is what a node is.
type Kind uint8

// The kinds.
const (
	Stochastic Kind = iota
	Logical
	Constant
	Box   // a statement
	Dummy // what stands for several
)

// Shade says how much of a stochastic node is observed.
type Shade uint8

// The shades.
const (
	Hidden Shade = iota
	Partly
	Observed
)

// A Node is a variable as one statement defines it, or data.
type Node struct {
	Label string // "Y[i, j]"
	Law   string // of a stochastic node, "dnorm"
	Tip   string // the statement, shown under the mouse
	Kind  Kind
	Shade Shade
	Plate int    // index of the innermost plate around it, or -1
	Fill  string // of a Box, a colour; "" is white
	Bold  bool   // of a Box
}

// A Plate is a loop.
type Plate struct {
	Label  string // "i in 1:N"
	Parent int    // or -1
}

// An Edge leads from what is read to what reads it.
type Edge struct {
	From, To int
	Style    int // index in the looks of the model, if it has any
}

// An EdgeStyle is how a kind of edges is drawn.
type EdgeStyle struct{ Name, Colour, Dash string }

// A Model is what is to be drawn. Plates stand after their parents.
type Model struct {
	Title  string
	Nodes  []Node
	Plates []Plate
	Edges  []Edge // each once
	// Styles are the kinds of edges, of which the page has a legend; without any,
	// edges are those of a graphical model.
	Styles []EdgeStyle
}
