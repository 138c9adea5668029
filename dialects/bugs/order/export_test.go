package order

// The tests have small arrays, whose regions are taken as a whole as those of large ones are.
func init() { fewElements = 0 }
