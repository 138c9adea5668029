// Package polyhedral has the passes on systems of statements (dialect poly): poly-schedule,
// which finds an order for equations, poly-contract, which lets elements of arrays share
// memory, and poly-codegen, which makes loops of a schedule.
package polyhedral
