package memref

var tables []any
