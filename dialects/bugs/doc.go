// Package bugs gives BUGS programs a meaning: it binds them to data, puts their
// statements in order, and makes graphs of them that keep their loops.
//
// The way of a model (package syntax has read it):
//
//	Analyze     names, sizes, iterations; what follows from data is computed in Go,
//	            in rounds, because bounds may need values and values sizes;
//	            each element is data, logical, observed or a parameter (Class)
//	depend      dependences between statements, by the regions that they read
//	sequence    a sequential order with loops (Model.Order)
//	Graph       a module with one bugs.model, whose ops are the statements
//	lowerModel  func.func @logdensity over scf, arith, math and special
//
// Compiling does not look at observations. Loops with constant bounds are a box, of
// which an iteration is a number (domain); a left side whose indices are loop
// variables plus or minus constants defines a rectangular region, in which an element
// tells its iteration (leftSide); who defines the elements of a variable is a list of
// such regions (owners); what is known of it is a bit set, or nothing where all is
// (mask), and its values are the memory that the data were read into. Classes are
// counted from these, not stored. What is not that simple, ragged loops and left
// sides that data index, is stored as packed integers, linear in what is there.
//
// Dependences are exact, and so is the check that every element that is read exists
// (readsByRegion). A reference with affine indices reaches a region; parts of it that
// statements define give dependences, with the signs of distances from the indices
// where they are the same for all pairs (constantDistance), else from the integer sets
// of package poly/depend (solve). An index that is an element of the data needs the
// least and the greatest of these; where both statements share a loop, or regions do
// not decide, one walk looks at each iteration, by compiled Go functions (walk). An
// index that has no value before the model runs reaches the whole extent. Where
// something is wrong, the visit of every element finds the words; tests hold all of
// this to that visit on random models. A loop over a vector is one over its positions
// (byPosition), and a part that a vector picks is an array of copies (byElement).
//
// A program that is in order stays as it is; one that is not is changed as little as
// its dependences let it (arrange): loops and statements keep the order of the text
// as far as they can, and a loop is taken apart only where some direction of it
// respects no dependence, or where loops need each other. What is taken apart is
// ordered by Allen and Kennedy's loop distribution with fusion (linear, merge).
// Statements that need each other run in one loop, forward or backward; else they
// take turns in a loop over an affine schedule (takeTurns); else their instances run
// by level, in an order computed from the data, in code of constant size
// (byInstance). So only an element that depends on itself has no order: an error,
// or, if it is stochastic, a warning, since at a point its value is given.
// Model.Why tells each decision.
//
// There are two evaluations. Visit walks the program in Go; it is the reference,
// simulates, fills initial values, and finds the words for what is wrong with a
// node. The lowered function is for speed and says NaN where it cannot go on. The
// ops of the dialect also run in ir/interp by themselves, given a Session. All
// three take their laws from package prob; nothing here is keyed by the name of a law.
//
// The lowered density is a sum whose parts are added where they vary (lowersum.go): what
// a loop does not change once behind it, what depends on data alone in
// @logdensity_setup, once. Logarithms and links are taken together (lowerlog.go), short
// inner loops and small matrices are straight code, a nest that reads across its arrays
// is turned (lowerturn.go). Large counts and shapes go to @logdensity_careful
// (lowercareful.go). What is inf - inf in these forms is NaN: the status then sends the
// caller to the reference, which decides; they never give another number.
//
// Unconstrained is the density as a function of one vector of reals (docs/unconstrained.md).
// It is the same model whose parameters are assigned: ops that read the vector, a
// transform, bugs.assign, and bugs.term for the Jacobian, before the node's own op; so
// all that runs or lowers a model does it. Nodes whose limits follow from data come
// first, in loops of their own, the others where their statement is. Roles (RoleOf)
// tell what is left out: liveness, backward from the observations, by statement where
// subscripts show that all instances are read, else by instance.
//
// Random numbers (Random) belong to nodes, not to a sequence: docs/simulation.md.
//
// A node of a law of arrays is one factor, whatever part of it is observed. Analyze checks
// the extents of all parts in every iteration.
//
// Expressions that are arrays become arrayValues: extents, and a way to make each
// element where it is wanted, so that arithmetic, transposes, products and reductions
// need loops and no memory. Functions that must see all of an array (arrayOps: sort,
// inverse, ...) read parts in memory and write a temporary; they are written once in Go
// and once as loops. Extents are compared when the model is bound to its data.
package bugs
