// Package values knows which values names stand for while the text of IR is read, and checks their uses.
//
// A name is visible from its definition to the end of its region, and not in functions within. In a graph region that is kept
// as it is written a name may be used before its definition: a stand-in waits for it. The tables of names are those of package
// symtab; what is wrong with a name is said here.
package values
