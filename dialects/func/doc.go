// Package funcs is MLIR's func dialect: functions and calls. (func is a keyword
// of Go, so the package is not named after its folder.) With it one
//
//   - builds functions and declarations: Function, Define, Declare;
//   - builds calls: CallTo;
//   - reads a function: NameOf, TypeOf, and its arguments' attributes.
//
// A func.func owns one child graph: its root has the parameters, its terminator is
// func.return. A declaration has a child graph without a block.
//
// A call may do anything to memory and to the outside, until a pass knows better.
//
// Ops cannot see what their symbols refer to; Verify checks that for a module.
package funcs
