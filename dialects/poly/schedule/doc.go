// Package schedule holds what a schedule is: the order in which the instances of the
// statements of a program are executed, as a tree or as a map from instances to times.
//
// A schedule tree (Verdoolaege, Guelton, Grosser and Cohen, "Schedule trees", IMPACT
// 2014) orders the instances of its root, a domain. A band orders them by the values of
// its members, functions from instances to integers, lexicographically; a sequence by
// which of its filters they pass; a set leaves the order of its filters open; a leaf
// orders nothing. Instances that a node does not tell apart are ordered by its child.
// Context and guard nodes state conditions on parameters and on the members of outer
// bands, which hold anyway or are to be tested; a mark is a name for tools. An extension
// adds instances below it, for values of the outer members; an expansion replaces each
// instance by several, which a contraction maps back to it.
//
// A flat map relates an instance to a tuple of integers, its time; times are compared
// lexicographically. Node.Map makes one of a tree and FromMap a tree of one.
//
// Parse and Node.String read and write trees in isl's YAML:
//
//	domain: "[N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i < N }"
//	child:
//	  schedule: "[N] -> [{ S[i] -> [i]; T[i] -> [i] }]"
//	  permutable: 1
//	  coincident: [ 1 ]
//	  options: "{ separate[x] }"
//	  child:
//	    sequence:
//	    - filter: "{ S[i] }"
//	    - filter: "{ T[i] }"
//
// Trees are values: no node changes once it is made, and subtrees may be shared.
package schedule
