package math

// Constants as the sum of two floats.
const (
	invLn10Hi, invLn10Lo   = 0.4342944819032518, 1.098319650216765070e-17
	log10of2Hi, log10of2Lo = 0.30102999566398120, -2.803728127785170339e-18
)
