// Package differentiate makes derivatives of functions, by the rules that dialects have (ir/derive).
//
// In reverse mode a function becomes one that runs it, and then its ops backwards. Each value has an adjoint, which is how
// the results change with it; an op gives its operands what its rule says (transposed, in Griewank's sense), in a
// region of its own for each region of the function. An adjoint of a value from outside of a loop or branch is
// carried through it. Memory has a shadow that holds the adjoints of its elements: where the function reads an element, the
// way back adds to the shadow, and where it writes one, it takes the shadow's element and leaves a zero.
//
// What rules need of the function's values in a loop is at hand again in three ways (plan.go): it is computed
// again, read again from memory that still holds it, or recorded in an array with an element for each round.
//
// Sources: A. Griewank and A. Walther, Evaluating Derivatives (2008), for the modes and the names; the rows that serve
// both modes are those of JAX (Frostig, Johnson, Leary 2018).
package differentiate
