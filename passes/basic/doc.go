// Package basic has the passes that know no dialect but what an op says of itself: they check, rebuild,
// share and remove, on any graph. It also has what other passes rebuild graphs with.
package basic
