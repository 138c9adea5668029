package cli

// A ModelReport is what `irc explain` says of a model, for statisticians.
type ModelReport struct {
	Name       string             `json:"name"`
	Observed   int                `json:"observed"`   // stochastic nodes
	Parameters int                `json:"parameters"` // scalars
	Roles      []RoleReport       `json:"roles"`
	Statements []StatementReport  `json:"statements"` // in the order of the program
	Order      []string           `json:"order"`      // the sequential program
	Decisions  []DecisionReport   `json:"decisions"`  // about the order
	Loops      []LoopReport       `json:"loops"`
	Unrelated  []DependenceReport `json:"without_common_loop"`
	Hoisted    []HoistReport      `json:"hoisted"`
}

// RoleReport lists the variables with elements of a role.
type RoleReport struct {
	Role      string           `json:"role"`
	Variables []VariableReport `json:"variables"`
}

// VariableReport is a variable, and how many of its elements have the role.
type VariableReport struct {
	Name     string `json:"name"`
	Dims     []int  `json:"dims"` // empty for a scalar
	Elements int    `json:"elements"`
	Of       int    `json:"of"`
}

// StatementReport is one relation of the program.
type StatementReport struct {
	Line    int      `json:"line"`
	Text    string   `json:"text"`
	Role    string   `json:"role"`
	Mixed   bool     `json:"mixed"` // other elements have other roles
	Loops   []string `json:"loops"` // their variables, outermost first
	Runs    int      `json:"runs"`
	At      int      `json:"-"` // offset in the source
	Leveled bool     `json:"-"` // its iterations run by level
}

// DecisionReport is a decision about the order, and why.
type DecisionReport struct {
	Change string `json:"change"`
	Text   string `json:"text"`
	Lines  []int  `json:"lines"`
}

// LoopReport is a loop of the program with the dependences within it.
type LoopReport struct {
	Line        int                `json:"line"`
	Loop        string             `json:"loop"`    // "i in 1:N"
	Carries     string             `json:"carries"` // what its iterations need of each other
	Dependences []DependenceReport `json:"dependences"`
}

// DependenceReport says that a statement reads what another one defines.
type DependenceReport struct {
	Reader     string   `json:"reader"`
	ReaderLine int      `json:"reader_line"`
	Writer     string   `json:"writer"`
	WriterLine int      `json:"writer_line"`
	Distance   string   `json:"distance"` // zero, positive, negative, unknown, or several
	Vectors    []string `json:"vectors"`  // signs of reader minus writer by loop
}

// HoistReport lists what is computed less often than its statement runs.
type HoistReport struct {
	Line  int      `json:"line"`
	Text  string   `json:"text"`
	When  string   `json:"when"` // "once", or "once for each i"
	What  []string `json:"what"` // functions and quotients
	Other int      `json:"other"`
}
