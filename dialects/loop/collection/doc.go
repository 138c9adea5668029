// Package collection builds what programs do with collections, each as the loop that it is:
// map, filter and flatMap, sums and folds, groups and joins, orders and slices.
//
// Every function makes ops of the dialect loop where the Builder stands, and no others than
// its doc says. Arrays are of type !loop.array<T>; functions of elements are Go functions,
// called once, which make the body of the loop, and what they return says what the result holds.
// Nothing here is fast by itself: that two loops become one is the matter of the pass fuse.
//
// Aggregates skip elements that are null (!loop.nullable without a value).
package collection
