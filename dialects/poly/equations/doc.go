// Package equations reads programs of equations (.eq), the polyhedral intermediate
// representation of Yang, Atkinson and Carbin, "Simplifying dependent reductions in the
// polyhedral model" (POPL 2021, Figure 5), in isl's notation:
//
//	program prefix(N) : N >= 1 {
//	  input  w[N] : f64;
//	  output B[N] : f64;
//	  local  A[N] : f64;
//	  def decay(x: f64) = exp(0.0 - x);
//	  S0: A[0]    = w[0];
//	  S1: B[i]   += A[j]                : { [i,j] : 0 <= i < N and 0 <= j <= i };
//	  S2: A[i+1]  = decay(B[i]) * w[i+1] : { [i] : 0 <= i < N - 1 };
//	}
//
// A program becomes a function of its parameters (index), inputs and outputs (memrefs), in the
// order in which they are declared, whose body is one poly.system. What is wrong is a
// diagnostic: of the text by the parser, of types by the builder, and of what elements
// are defined and read, for all values of the parameters, by the checker.
package equations
