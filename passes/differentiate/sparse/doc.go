// Package sparse computes sparse Jacobians and Hessians from few runs of derivatives (Curtis, Powell and Reid, "On the
// estimation of sparse Jacobian matrices", 1974). With it one
//
//   - knows which derivatives may be other than 0: PatternOf, by dependence analysis;
//   - groups columns so that one run of forward mode has the derivatives by a group, and leaves dense rows to reverse
//     mode: Compress;
//   - groups the columns of a Hessian, of which symmetry gives one half: Star;
//   - reads the matrix off the runs: Plan.Recover, StarPlan.Recover.
//
// # The pattern
//
// PatternOf goes through a function instance by instance, in their order, with the sizes and integers of a call and without
// any float. Of each float, and of each element of memory, it knows on which columns it depends: those of the value last written
// there (Feautrier, "Dataflow analysis of array and scalar references", 1991). So of affine loops it is exact at these
// sizes, and so it is of loops whose indices stand in arrays of integers. It holds for all values of the floats:
//
//   - of a branch that a float decides both sides are taken, and of a loop as many rounds as change something;
//   - an index that a float decides may be any: a read depends on all of the memory, and a write leaves what was there.
//
// An operand by which its op has the derivative 0, as the condition of a select, is none that a value depends on
// (derive.Rule). Numbers that cancel each other do so in the values alone.
package sparse
