// Package jsontext writes results as JSON: objects whose keys keep their order, floats that JSON has no text for, and
// arrays too large to be held as text.
//
// Equal values have equal text: <, > and & stand as they are, minus zero keeps its sign, and infinities and NaN are
// the strings Infinity, -Infinity and NaN.
package jsontext
