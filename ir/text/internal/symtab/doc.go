// Package symtab is the symbol table of a function's SSA names: which values each name that is visible stands for.
//
// Names come and go like a stack: Restore ends the regions that began since there were so many definitions, and a definition
// keeps which one it hides. Names that are a word and a number are found by number, others by hash. The table reports nothing: what is
// defined twice, or used before its definition, is for the parser to say.
package symtab
