// Package lifetimes draws plans of memory as SVG: time to the right, bytes upward, a rectangle for each buffer from the op that it is
// first needed at to the last one, at its offset. No two rectangles meet. Where most is needed at one time is marked.
package lifetimes
