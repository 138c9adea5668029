// Package commands has what an irc with models, equations and native code has beside package cli: the commands sample,
// summary, explain, sets, complexity, prove and doctor, and what -tune, -time-kernels and -mcpu ask for. Each is a row, or a value, for a
// cli.Program.
package commands

import "github.com/irc-lang/irc/tools/irc/internal/cli"

// session is a run of the command, with what is known of it here.
type session struct{ *cli.Session }

func by(run func(*session) error) func(*cli.Session) error {
	return func(s *cli.Session) error { return run(&session{s}) }
}

// The commands.
var (
	Explain = &cli.Command{Name: "explain", Letter: cli.OnExplain, Args: "FILE", Usage: "where each op stands and why, what was shared, what each pass did", Files: [2]int{1, 1}, Run: by(explainProgram),
		Examples: []string{"irc explain sum.mlir", "irc explain -passes=inline -json sum.mlir", "irc explain -deps sum.mlir", "irc explain -loops sum.mlir"}}
	Sets = &cli.Command{Name: "sets", Letter: cli.OnSets, Args: "FILE|-", Usage: "calculator for integer sets", Files: [2]int{0, 1}, Run: by(sets),
		Details:  setsHelp,
		Examples: []string{"irc sets sets.txt", "irc sets -json sets.txt", "irc sets -draw sets.txt >sets.svg"}}
	Complexity = &cli.Command{Name: "complexity", Letter: cli.OnCost, Args: "FILE", Usage: "asymptotic cost of each statement", Files: [2]int{1, 1}, Run: by(complexity),
		Long: "A line a statement of equations, or of a poly.system: its name, the leading terms of the number of its instances, in the parameters of the program, and its domain; then those of all together. " +
			"With -passes before and after them, with -D also the number of instances at these sizes.",
		Examples: []string{"irc complexity prefix.eq", "irc complexity -json prefix.eq", "irc complexity -D N=1000 prefix.eq", "irc complexity -passes=poly-schedule prefix.eq"}}
	Prove = &cli.Command{Name: "prove", Letter: cli.OnProve, Args: "FILE|RULE", Usage: "prove that a function, or the right side of a rule, may stand for another", Files: [2]int{1, 1}, Run: by(proveAny),
		Long: "Of a FILE of text IR the functions are @src and @tgt, on integers and without memory; a FILE.rules has rules. A rule is decided at each width of -width. " +
			"Where @tgt may not stand for @src, a program that shows it is written, and the exit status is 1.",
		Examples: []string{"irc prove 'arith.muli(x, C) => arith.shli(x, log2(C)) where isPowerOf2(C)'", "irc prove -width=1-16 'arith.addi{nsw}(x, y) => arith.addi(y, x)'"}}
	Sample = &cli.Command{Name: "sample", Letter: cli.OnSample, Args: "MODEL", Usage: "draws from the posterior distribution of a BUGS model", Files: [2]int{1, 1}, Run: by(sampleModel),
		Long: "Chains of the no-U-turn sampler move the parameters by the gradient of the density. Their draws are in files of their own, NAME-1.csv and so on, as CmdStan writes them; NAME is that of the model, or what -o says. " +
			"A summary follows, and what is wrong with the run."}
	Summary = &cli.Command{Name: "summary", Letter: cli.OnDraws, Args: "FILE...", Usage: "estimates and diagnostics of a sampler's draws", Files: [2]int{1, -1}, Run: by(summarize),
		Long: "The files are those of one run: CSV of CmdStan or with a column for each quantity, an index of CODA and its chains, or ArviZ's JSON. For each quantity there are mean, standard deviation and quantiles, and the Monte Carlo error of the mean. " +
			"R-hat is rank-normalised and of split chains; effective sample sizes are of the bulk and of the tails. What is wrong with the run follows, with what to do about it.",
		Examples: []string{"irc summary chain-1.csv chain-2.csv", "irc summary -monitor=mu,theta -json chain-1.csv chain-2.csv"}}
	Doctor = &cli.Command{Name: "doctor", Letter: cli.OnDoctor, Usage: "what was found on this machine and what it is needed for", Run: by(doctor),
		Examples: []string{"irc doctor", "irc doctor -json"}}
)
