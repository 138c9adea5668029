// Package shapes is how a dialect says what values of its types look like outside of programs.
package shapes

import "github.com/irc-lang/irc/ir"

// Table is the table of a dialect that says what values of its types look like outside of
// programs (JSON, printing): a list, an object with names, text, or nothing. A type without a
// Shape is a list of its parts, or an object where those have names.
type Table map[ir.Defined]Shape

// A Shape takes a value apart into what its type shows and puts one together.
type Shape struct {
	// Show lists what a value of type t shows.
	Show func(c *ir.Context, t ir.Type, v ir.Val) Shown
	// Elem is the type of the elements, where they have one type.
	Elem func(c *ir.Context, t ir.Type) ir.Type
	// Fields are those of an object; nil if it is none.
	Fields func(c *ir.Context, t ir.Type) []ir.Field
	// Make puts together elements or fields, in order; FromText reads text; null is Make of nil.
	Make     func(c *ir.Context, t ir.Type, items []ir.Val) ir.Val
	FromText func(s string) ir.Val
	Null     bool // one item, or none
}

// Shown is what a value shows: text, or items with their types, under names if it is an
// object. Null shows nothing.
type Shown struct {
	Text   *string
	Items  []ir.Val
	Type   func(i int) ir.Type
	Names  []string
	Single bool // the one item itself
	Null   bool
}
