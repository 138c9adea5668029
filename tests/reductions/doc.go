// Package reductions has the programs of reductions in examples/eq and examples/reductions, with
// what each costs as it stands and what it costs an expert: Table 2 of Yang, Atkinson and Carbin,
// "Simplifying dependent reductions in the polyhedral model" (POPL 2021), and small programs of
// one idea each.
package reductions
