// Package kit is what the formulas of laws are written over: numbers and conditions that are
// Go's (Float) or ops of a graph (Ops), behind one interface (Calc).
//
// What holds:
//
//   - A formula over Calc means the same for both: what computes in Go and what is compiled
//     cannot come apart.
//   - Both arms of a Pick are computed; of a Branch, one.
//   - Add, Sub and Mul of ops may be contracted and lose the sign of zero, never reassociated,
//     but for the terms of a density where Ops.Terms says so;
//     Plus and Minus round each time.
//   - Arrays of ops are parts of memory (View) and are read by loops (Fold), unrolled where
//     their extents are known and small (Ops.Split).
package kit
