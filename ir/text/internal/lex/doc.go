// Package lex makes tokens of the text of IR.
//
// A token is made when it is asked for, from any place on: the shape of a type and the text of an opaque attribute are not
// made of tokens. What begins no token, or does not end, is one of kind Bad; a Lexer reports nothing and never fails.
package lex
