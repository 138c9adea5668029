package memref

var tables = []any{syntax, table}
