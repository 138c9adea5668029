// Package target says what a machine is and what things cost on it. Whatever decides
// by a number (a table's size, a vector's width, how often a loop runs) asks a Target for it. So one file
// describes a machine and no pass holds constants of one.
package target
