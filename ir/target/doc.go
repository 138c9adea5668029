// Package target says what a machine is and what things cost on it. Whatever decides
// by a number (a table's size, a vector's width, how often a loop runs) asks a Target for it. So one file
// describes a machine and no pass holds constants of one. With it one
//
//   - takes a machine: Host, Named, or Read of a file that describes it;
//   - asks what it has: Target.Lanes, Target.Cores, Target.Caches;
//   - asks what things cost there: Target.Costs.
//
// A Target is not changed once it is made, so any goroutine may ask it; who wants another copies it.
package target
