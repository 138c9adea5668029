package scf

var tables []any
