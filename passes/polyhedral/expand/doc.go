// Package expand makes equations of programs over polyhedra (dialect poly), by array expansion.
//
// A program sets elements in an order, more than once; equations define each once. What an element has
// between two times that it is set is a life: it begins with an instance that sets the element, the base of
// the life. It goes on with instances that update it by one operator, and ends with those that read it.
// Value-based dependences tell for each update and each read in which life it is (lifetimes.go; Feautrier,
// "Dataflow analysis of array and scalar references", 1991). An update that comes after a read of the same
// life begins one of its own, whose base is what the old one had, combined with what is added: so a running
// sum that is read in each iteration is a recurrence. One that is read after each row is a reduction of the
// row and of the sum before.
//
// A life is a value that does not change. So what only copies one is left out, and who reads the copy
// reads the original (forward.go); lives that nothing reads, and that are not what memory has in the
// end, are not there. Each other life gets an element (allocation.go): where it is what memory has in the end,
// the element that has it; in an array of the system alone the element that it was in, if that has one
// life only; else one of a new array, at the coordinates of its base (Feautrier, "Array expansion",
// 1988; Knobe and Sarkar, "Array SSA form and its use in parallelization", 1998).
// Then statements are made (pieces.go), split where what they read, or write, is in several arrays.
package expand
