// Package literal reads and writes what stands for itself in the text of IR: types, attributes and locations.
//
// Each kind is a part with its own state:
//
//	Types, Attrs
//	Aliases      names that the file gives either
//	Resources    data at the end of the file
//	Places       locations
//	Definitions  what dialects define
//
// They call each other, since a type holds attributes and an attribute types; none knows values or ops. A Writer prints all of
// them so that they read as the same.
//
// What is read, in the notation of MLIR's reference:
//
//	type       = word | "(" types? ")" "->" results | "!" name body?
//	word       = "index" | "none" | "i" N | "si" N | "ui" N | "f32" ... | shaped
//	shaped     = "vector" | "tensor" | "memref" | "tuple" | "complex", with "<...>"
//	attribute  = number (":" type)? | string (":" type)? | "[" attributes "]" | dictionary
//	           | "@" name ("::" "@" name)* | type | "#" name body?
//	           | "unit" | "true" | "false" | affine | elements | location | "distinct" "[" N "]" "<...>"
//	dictionary = "{" (name ("=" attribute)?), ... "}"
//	affine     = "affine_map<" "(" names ")" ("[" names "]")? "->" "(" expressions ")" ">"
//	           | "affine_set<" ... ":" "(" constraints ")" ">"
//	elements   = "dense<" ... ">" ":" type | "sparse<" ... ">" ":" type | "array<" type ":" ... ">"
//	           | "dense_resource<" key ">" ":" type
//	location   = "loc(" ("unknown" | string ":" N ":" N | string "(" location ")"
//	           | "callsite(" location "at" location ")" | "fused" "<...>"? "[" locations "]") ")"
//	alias      = ("#" | "!") name "=" (attribute | type)
//
// A body is "<...>" right behind the name. Without one, a name with no dot is an alias. The type of elements stands behind
// them, so they are skipped and read again once it is known.
//
// What is printed reads as the same, and as mlir-opt prints it:
//
//   - a number is said with its type unless that is known where it stands, or i64 or f64 within a list;
//   - a float is the shortest decimal that gives the same bits, and its bits where there is none;
//   - data of more than 100 elements are hexadecimal; equal elements are one;
//   - a name that is no word stands in quotes.
//
// Limits keep what a small file stands for small: aliases of aliases can double with each line, and nesting costs stack.
//
// Types and attributes that dialects define are written in the notation of ops, which package text knows: Formats.
package literal
