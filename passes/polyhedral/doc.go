// Package polyhedral has the passes on systems of statements (dialect poly): poly-schedule,
// which finds an order for equations, and poly-codegen, which makes loops of a schedule.
package polyhedral
