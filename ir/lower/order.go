package lower

// Order is a dialect's table of where its levels stand in the lowering pipeline: by the name of
// a level, the level that it comes before. Every route through that one takes it in.
type Order map[string]string
