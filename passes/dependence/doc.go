// Package dependence finds which statements of a program depend on which, and how:
// the dependency analysis of Infer.NET's compiler ("Infer.NET development: Compiler
// transforms, Dependency analysis transform"), on functions over memref, scf and func,
// and on BUGS models.
//
//	Read      a module becomes a Program for each function and model
//	Analyze   classes, cliques, dependences of seven kinds, offsets, problems
//	Pass      dependence-analysis: writes what was found at the ops, as dep.info
//	Table     prints it, as `irc explain -deps` does
//
// # What counts as what
//
// A variable is an allocation (memref.alloc, alloca), a memref argument, a scalar
// argument, a global, or the result of a call that is a statement. Arguments and
// globals are parameters. Two arguments are taken to be different memory, and a callee
// to touch none that it is not given.
//
// A statement is an op that writes or calls: memref.store, copy, atomic_rmw, an
// allocation (a bare declaration), func.return with operands (an output); ops of which nothing is known (they
// read and write all memory they are given); and func.call, unless it may write nothing and its result is
// used: then it is a part of the expressions of those who use it, as are loads and arithmetic. What a callee
// does is seen from its body, or said by llvm.readonly, llvm.writeonly and llvm.readnone of its arguments;
// else it reads and writes. scf.for, parallel, if, while and index_switch contain statements; what their
// bounds and conditions read belongs to all of these. Values that a region op yields are followed into it.
//
// Facts are attributes of the op of a statement: dep.operator, dep.initializer,
// dep.output, dep.uniform, dep.increment. The last three may stand at a callee, for
// every statement that calls it. Of a callee's argument, or of a load: dep.ignore,
// dep.skip_if_uniform, dep.any_item (with it, one update will do), dep.trigger,
// dep.fresh; of an argument also dep.all_except = k: not the element whose index
// argument k is. dep.requires = "any(0, all(1, items(2)))" of a call or callee groups
// arguments. dep.name of an allocation or argument is what tables call it.
//
// In a BUGS model every statement is an update of the variable that it defines. Data are parameters, and
// other variables have a declaration. Statements with observed nodes are outputs, which read the node. An
// index that is read from data is not known.
//
// # The rules
//
// A bare declaration gives no value, so it is a declaration even where rule 1 (the last
// statement is an update) would make it an update. A declaration of a variable depends
// on those before it only, or two would depend on each other.
//
// Updates overlap if their targets may share an element, conditions without an index of
// a loop left out; a maximal clique of two or more has a dummy. A read depends on the
// cliques all of whose members affect it, conditions considered, and on the updates
// that affect it and are in none of those. The last part is not in the document:
// without it a read that only a part of every clique affects would depend on nothing.
// The same question is asked of a statement's own update.
//
// The questions whether and how far apart accesses overlap are put to dialects/poly/depend, so they
// are exact where subscripts, bounds and conditions are affine in indices of loops and
// symbols; else what is not known is taken to be possible. Arithmetic of indices is
// taken not to wrap around, subscripts to be in bounds.
//
// A statement is uniform if it is said to be, or if an argument that it skips when
// uniform is: one of which all that it may read is uniform. Then it never runs, so that
// what it updates stays uniform, too; the statements are the least such set, found over
// the whole program (uniform.go). A dummy is uniform if all its members are, and what is
// uniform cannot satisfy an Any. An argument that is not skipped passes nothing on.
//
// Conditions and bounds give declaration and parameter dependences only, as in the
// document. An allocation with a value that reads a variable depends on its updates; of
// that the document says nothing.
//
// Reads that no statement defines under their conditions, circles of requirements, of
// triggers and of fresh dependences, and loops that can run in neither direction are
// reported (Result.Problems).
package dependence
