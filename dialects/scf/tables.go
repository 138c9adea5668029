package scf

var tables = []any{syntax, table, loops, conditionals, regionNames, structured}
