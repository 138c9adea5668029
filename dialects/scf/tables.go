package scf

var tables = []any{syntax, table}
