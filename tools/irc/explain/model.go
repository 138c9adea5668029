package explain

// A Model is what `irc explain` says of a model, for statisticians.
type Model struct {
	Name       string       `json:"name"`
	Observed   int          `json:"observed"`   // stochastic nodes
	Parameters int          `json:"parameters"` // scalars
	Roles      []Role       `json:"roles"`
	Statements []Statement  `json:"statements"` // in the order of the program
	Order      []string     `json:"order"`      // the sequential program
	Decisions  []Decision   `json:"decisions"`  // about the order
	Loops      []Loop       `json:"loops"`
	Unrelated  []Dependence `json:"without_common_loop"`
	Hoisted    []Hoist      `json:"hoisted"`
}

// Role lists the variables with elements of a role.
type Role struct {
	Role      string     `json:"role"`
	Variables []Variable `json:"variables"`
}

// Variable is a variable, and how many of its elements have the role.
type Variable struct {
	Name     string `json:"name"`
	Dims     []int  `json:"dims"` // empty for a scalar
	Elements int    `json:"elements"`
	Of       int    `json:"of"`
}

// Statement is one relation of the program.
type Statement struct {
	Line    int      `json:"line"`
	Text    string   `json:"text"`
	Role    string   `json:"role"`
	Mixed   bool     `json:"mixed"` // other elements have other roles
	Loops   []string `json:"loops"` // their variables, outermost first
	Runs    int      `json:"runs"`
	At      int      `json:"-"` // offset in the source
	Leveled bool     `json:"-"` // its iterations run by level
}

// Decision is a decision about the order, and why.
type Decision struct {
	Change string `json:"change"`
	Text   string `json:"text"`
	Lines  []int  `json:"lines"`
}

// Loop is a loop of the program with the dependences within it.
type Loop struct {
	Line        int          `json:"line"`
	Loop        string       `json:"loop"`    // "i in 1:N"
	Carries     string       `json:"carries"` // what its iterations need of each other
	Dependences []Dependence `json:"dependences"`
}

// Dependence says that a statement reads what another one defines.
type Dependence struct {
	Reader     string   `json:"reader"`
	ReaderLine int      `json:"reader_line"`
	Writer     string   `json:"writer"`
	WriterLine int      `json:"writer_line"`
	Distance   string   `json:"distance"` // zero, positive, negative, unknown, or several
	Vectors    []string `json:"vectors"`  // signs of reader minus writer by loop
}

// Hoist lists what is computed less often than its statement runs.
type Hoist struct {
	Line  int      `json:"line"`
	Text  string   `json:"text"`
	When  string   `json:"when"` // "once", or "once for each i"
	What  []string `json:"what"` // functions and quotients
	Other int      `json:"other"`
}
