// Package draw is random numbers and what is made of them. Numbers belong to a name and a
// position (Random), not to a sequence: what else is drawn, and in which order, changes
// nothing.
package draw
