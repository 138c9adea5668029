package dependence

import (
	"testing"
)

// Variants of the cases, checked by hand.
var variants = []struct{ name, program, want string }{
	{"a bare declaration is none", `
		decl | | x <-
		out | | <- x`, `
		S1: D{S0} output
		warning: S1 (<- x) reads x, which no statement defines`},
	{"a declaration after the updates", `
		op | | x <-
		decl | | x <-
		op | | y <- x`, `
		S0: D{S1}
		S2: D{S1} O{S0}`},
	{"an initializer that is the last is an update", `
		decl | | x <-
		init | | x <-
		out | | <- x`, `
		S1: D{S0}
		S2: D{S0} O{S1} output`},
	{"an operator that is also an initializer is an update", `
		op init | | x <-
		op | | x <- x`, `
		S1: O{K1}
		K1 x: S0 S1`},
	{"an increment is in no clique", `param a
		op | if a | x <-
		op | if !a | x <-
		op inc | | x <- y
		op | | z <- x`, `
		S3: O{S2,K1}
		K1 x: S0 S1
		warning: S2 (x <- y) reads y, which no statement defines`},
	{"a parameter that is written", `param p a
		op | | p <- p a
		op | | y <- p`, `
		S0: O{S0} P{a,p}
		S1: O{S0} P{p}`},
	{"an index on the left", `param i
		shape x 4
		decl | | i <-
		op | | k <-
		op | | x[?] <- idx:k
		op | | y <- x[2]`, `
		S0: P{i}
		S2: O{S1}
		S3: O{S2}`},
	{"a condition gives declarations only", `
		decl | | c <-
		op | | c <-
		op | if ? | x <- cond:c`, `
		S1: D{S0}
		S2: D{S0}`},
	{"two halves of an array", `param n
		op | for i 0 n if i<5 | x[i] <-
		op | for i 0 n if !i<5 | x[i] <-
		op | for i 0 n | y[i] <- x[i]`, `
		S2: O{S0(i: 0),S1(i: 0)}`},
	{"two halves that share an element", `param n
		op | for i 0 6 | x[i] <-
		op | for i 5 9 | x[i] <-
		op | | y <- x[5]
		op | | z <- x[4]
		op | | w <- x[8]
		op | | v <- x`, `
		S2: O{K1}
		S3: O{S0}
		S4: O{S1}
		S5: O{K1}
		K1 x[i]: S0 S1`},
	{"even and odd", `
		op | for i 0 5 | x[2i] <-
		op | for i 0 5 | x[2i+1] <-
		op | | y <- x[3]
		op | | z <- x`, `
		S2: O{S1}
		S3: O{S0,S1}`},
	{"a parameter as an index", `param k
		op | | x[k] <-
		op | | x[0] <-
		op | if k==0 | y <- x[0]
		op | if !k==0 | z <- x[0]
		op | if k==3 | w <- x[2]`, `
		S2: O{K1}
		S3: O{S1}
		K1 x[0]: S0 S1
		warning: S4 (w <- x[2]) reads x[2], which no statement defines`},
	{"rows and columns", `
		shape x 3 3
		op | for j 0 3 | x[0,j] <-
		op | for j 0 3 | x[j,0] <-
		op | | y <- x[0,0]
		op | | z <- x[0,2]
		op | | w <- x[2,2]`, `
		S2: O{K1}
		S3: O{S0}
		K1 x[0,0]: S0 S1
		warning: S4 (w <- x[2,2]) reads x[2,2], which no statement defines`},
	{"a prefix covers what is longer", `
		shape x 3 3
		op | | x[0] <-
		op | | x[1,2] <-
		op | | y <- x[0,1]
		op | | z <- x[1]`, `
		S2: O{S0}
		S3: O{S1}`},
	{"ranges", `
		shape x 10
		op | | x[0:4] <-
		op | | x[5:9] <-
		op | | y <- x[3:5]
		op | | z <- x[6:7]`, `
		S2: O{S0,S1}
		S3: O{S1}`},
	{"out of bounds of the shape is nothing", `
		shape x 3
		op | for i 0 9 | x[i] <-
		op | | y <- x[7]`, ``},
	{"all except the first", `
		shape x 2
		op | | x[0] <-
		op | | x[1] <-
		op | | y <- not0:x`, `
		S2: O{S1}`},
	{"two conditions at once", `param a b
		op | if a | x <-
		op | if !a if b | x <-
		op | if !a if !b | x <-
		op | if b | y <- x
		op | if a if b | z <- x
		op | | w <- x`, `
		S3: O{S0,S1}
		S4: O{S0}
		S5: O{K1}
		K1 x: S0 S1 S2`},
	{"three ways with parts", `param k
		shape x 2
		op | if k==0 | x <-
		op | if k==1 | x[0] <-
		op | if k==1 | x[1] <-
		op | if k==2 | x <-
		op | | y <- x[1]
		op | | z <- any:x`, `
		S4: O{K2}
		S5: O{K1,K2} R{any(K1, K2)}
		K1 x[0]: S0 S1 S3
		K2 x[1]: S0 S2 S3
		warning: S4 (y <- x[1]) reads x[1], which no statement defines where k = -1
		warning: S5 (z <- any:x) reads x, which no statement defines where k = -1`},
	{"any of two arguments", `
		op | | a <-
		op | | b <-
		op | | c <- a@0 b@1
		requires any(0, 1)`, `
		S2: O{S0,S1} R{any(S0, S1)}`},
	{"any that contains all", `
		op | | a <-
		op | | b <-
		op | | c <-
		op | | d <- a@0 b@1 c@2
		requires any(0, all(1, 2))`, `
		S3: O{S0,S1,S2} R{any(S0, S1),any(S0, S2)}`},
	{"nested any is flat", `
		op | | a <-
		op | | b <-
		op | | c <-
		op | | d <- a@0 b@1 c@2
		requires any(any(0, 1), 2)`, `
		S3: O{S0,S1,S2} R{any(S0, S1, S2)}`},
	{"any with an argument on which nothing depends", `param p
		op | | a <-
		op | | d <- a@0 p@1
		requires any(0, 1)`, `
		S1: O{S0} P{p}`},
	{"any of what is uniform", `
		op uniform | | a <-
		op uniform | | b <-
		op | | d <- a@0 b@1
		requires any(0, 1)`, `
		S0: uniform
		S1: uniform
		S2: O{S0,S1} uniform`},
	{"any of which one is uniform", `
		op uniform | | a <-
		op | | b <-
		op | | d <- a@0 b@1
		requires any(0, 1)`, `
		S0: uniform
		S2: O{S0,S1} R{S1}`},
	{"an argument that is skipped is uniform", `
		op uniform | | a <-
		op | | c <-
		op | | b <- skip:a skip:c
		op | | d <- a`, `
		S0: uniform
		S2: O{S0,S1} R{S0,S1} uniform
		S3: O{S0}`},
	{"uniform through a chain", `
		op | | d <- skip:c
		op | | c <- skip:b
		op | | b <- skip:a
		op uniform | | a <-
		op | | e <- skip:d skip:p
		out | | <- skip:e
		op | | p <-`, `
		S0: O{S1} R{S1} uniform
		S1: O{S2} R{S2} uniform
		S2: O{S3} R{S3} uniform
		S3: uniform
		S4: O{S0,S6} R{S0,S6} uniform
		S5: O{S4} R{S4} output uniform`},
	{"any of what has become uniform", `
		op uniform | | a <-
		op | | b <- skip:a
		op | | c <-
		op | | d <- b@0 a@1
		requires any(0, 1)
		op | | e <- b@0 c@1
		requires any(0, 1)
		op | | f <- d@0 b@1
		requires any(0, 1)`, `
		S0: uniform
		S1: O{S0} R{S0} uniform
		S3: O{S0,S1} uniform
		S4: O{S1,S2} R{S2}
		S5: O{S1,S3} uniform`},
	{"a dummy is uniform when all its members are", `param a
		op uniform | | u <-
		op | if a | x <- skip:u
		op uniform | if !a | x <-
		op | if a | y <- skip:u
		op | if !a | y <-
		op | | v <- skip:x
		op | | w <- skip:y`, `
		S0: uniform
		S1: O{S0} R{S0} uniform
		S2: uniform
		S3: O{S0} R{S0} uniform
		S5: O{K1} R{K1} uniform
		S6: O{K2} R{K2}
		K1 x: S1 S2
		K2 y: S3 S4`},
	{"an array is uniform when all of it is", `
		shape x 2
		op uniform | | x[0] <-
		op | | x[1] <-
		op | | y <- skip:x
		op | | z <- skip:x[0]
		op | | w <- any:x
		op | for i 0 2 | v[i] <- skip:x[i]`, `
		S0: uniform
		S2: O{S0,S1} R{S0,S1}
		S3: O{S0} R{S0} uniform
		S4: O{S0,S1} R{S1}
		S5: O{S0,S1} R{S0,S1}`},
	{"what an increment adds to is not uniform", `
		op uniform | | x <-
		op inc | | x <- d
		op | | d <-
		op | | y <- skip:x`, `
		S0: uniform
		S1: O{S2}
		S3: O{S0,S1} R{S0,S1}`},
	{"uniform through an initializer", `
		decl | | x <-
		init uniform | | x <-
		init | | x <- skip:x
		op | | x <-`, `
		S1: D{S0} uniform
		S2: D{S0} O{S1} R{S1} uniform
		S3: D{S0} I{S1,S2}`},
	{"a circle that what is uniform leaves", `
		shape b 2
		op | | a <- any:b
		op | | b[0] <- skip:a
		op | | b[1] <- skip:c
		op uniform | | c <-`, `
		S0: O{S1,S2} R{S1}
		S1: O{S0} R{S0}
		S2: O{S3} R{S3} uniform
		S3: uniform
		error: S0 (a <- any:b), S1 (b[0] <- skip:a) require each other: none of them can run first`},
	{"items of an array and an argument", `
		shape x 2
		op | | x[0] <-
		op | | x[1] <-
		op | | a <-
		op | | d <- x@0 a@1
		requires any(items(0), 1)`, `
		S3: O{S0,S1,S2} R{any(S0, S1, S2)}`},
	{"all of the items", `
		shape x 2
		op | | x[0] <-
		op | | x[1] <-
		op | | d <- skip:x`, `
		S2: O{S0,S1} R{S0,S1}`},
	{"a circle of requirements", `
		op | | a <- skip:b
		op | | b <- skip:a`, `
		S0: O{S1} R{S1}
		S1: O{S0} R{S0}
		error: S0 (a <- skip:b), S1 (b <- skip:a) require each other: none of them can run first`},
	{"a circle of triggers through a dummy", `param k
		op | if k | a <- trigger:b
		op | if !k | a <-
		op | | b <- trigger:a`, `
		S0: O{S2} T{S2}
		S2: O{K1} T{K1}
		K1 a: S0 S1
		error: S0 (a <- trigger:b), S2 (b <- trigger:a) trigger each other: they would run for ever`},
	{"no circle where any will do", `
		op | | c <-
		shape b 2
		op | | a <- any:b
		op | | b[0] <- skip:a
		op | | b[1] <- c`, `
		S1: O{S2,S3} R{any(S2, S3)}
		S2: O{S1} R{S1}
		S3: O{S0}`},
	{"a diagonal", `
		op | for i 1 9 for j 0 9 | x[i,j] <- x[i-1,j+1]`, `
		S0: O{S0(i: -1, j: +1)}
		warning: S0 (x[i,j] <- x[i-1,j+1]) reads x[i-1,j+1], which no statement defines, as for x[0,1]`},
	{"a triangle", `
		op | for i 0 9 for j 0 i | x[i,j] <- x[j,i]
		op | for i 0 9 for j 0 i | x[j,i] <-`, `
		S0: O{S1(i: 0, j: 0)}`},
	{"an index that is not known", `
		op | for i 0 9 | x[?] <- x[i]
		op | | y <- x[0]`, `
		S0: O{S0(i: -0+)}
		S1: O{S0}`},
	{"two loops of their own", `
		op | for i 0 9 | x[i] <-
		op | for j 0 9 | y[j] <- x[j]`, `
		S1: O{S0}`},
	{"nothing is ever defined", `param a
		decl | | x <-
		op | if a | y <- x`, `
		S1: D{S0}
		warning: S1 (y <- x) reads x, which no statement defines`},
	{"one element is not defined", `
		shape x 3
		op | for i 0 2 | x[i] <-
		op | for i 0 3 | y[i] <- x[i]`, `
		S1: O{S0}
		warning: S1 (y[i] <- x[i]) reads x[i], which no statement defines, as for x[2]`},
}

func TestVariants(t *testing.T) { runCases(t, variants) }
