package lms_test

// an array m and another one, o, with unknown contents
const twoArrays = "%mm = lms.newmut %k3 %o = lms.newmut %k3 lms.write %mm[%k0], %x lms.write %o[%k0], %y %j = arith.extui %c : i1 to i64\n"

// Section 4: what may refer to the same memory.
var aliasCases = []testCase{
	{"4.4 3b: a copy may be kept", `%z = lms.zeros %n %v = lms.var %z : !lms.arr %b = lms.newmut %n lms.write %b[%k0], %x %t = lms.clone %b : !lms.arr lms.write %b[%k0], %y lms.set %v, %t : !lms.arr
  %a = lms.get %v : !lms.arr %r = lms.read %a[%k0] lms.print %r`, "newmut write clone read print", "", []string{"4 0 0 0: read 1, clone 1"}},
	{"4.4 dead reads", `%z = lms.zeros %n %v = lms.var %z : !lms.arr %b = lms.newmut %n %s = lms.zeros %n
  %r = lms.sum %i < %k3 { %a = lms.get %v : !lms.arr %x1 = lms.read %a[%i] lms.write %b[%i], %k7 %x2 = lms.read %a[%i] lms.yield %x1 } lms.print %k1`,
		"print", "", nil},
	{"4.9 contain, copy, extract: a write waits for reads of what it may be",
		twoArrays + `%w = lms.arr %q < %k2 { lms.yield %mm } %c1 = lms.clone %w : !lms.arrs %e = lms.at %c1[%j] %r = lms.read %e[%k0] lms.write %mm[%k0], %k7 %s = lms.read %e[%k0] lms.print %r lms.print %s`,
		"newmut write extui arr{} clone at read write read print print", "", []string{"4 0 0 0: read 2, write 2"}},
	{"4.9 a write to another array is no reason to read twice",
		twoArrays + `%w = lms.arr %q < %k2 { lms.yield %mm } %c1 = lms.clone %w : !lms.arrs %e = lms.at %c1[%j] %r = lms.read %e[%k0] lms.write %o[%k0], %k7 %s = lms.read %e[%k0] lms.print %r lms.print %s %t = lms.read %o[%j] lms.print %t`,
		"newmut newmut write extui arr{} clone at read write print print read print", "", []string{"4 0 0 0: read 2, write 2"}},
	{"4.9 alias: one of two",
		twoArrays + `%e = scf.if %c -> (!lms.arr) { scf.yield %mm : !lms.arr } else { scf.yield %o : !lms.arr } %h = lms.newmut %k3 lms.write %h[%k0], %x %r = lms.read %e[%k0] lms.write %h[%k0], %k7 %s = lms.read %e[%k0] lms.print %r lms.print %s %t = lms.read %h[%j] lms.print %t`,
		"newmut newmut write write extui select newmut read write print print read print", "", []string{"4 0 1 0: read 2, write 3"}},
	{"4.9 alias of an array of arrays",
		twoArrays + `%l1 = lms.lit %mm, %mm : !lms.arr, !lms.arr %l2 = lms.lit %o, %o : !lms.arr, !lms.arr %w = scf.if %c -> (!lms.arrs) { scf.yield %l1 : !lms.arrs } else { scf.yield %l2 : !lms.arrs }
  %e = lms.at %w[%j] %r = lms.read %e[%k0] lms.write %o[%k0], %k7 %s = lms.read %e[%k0] lms.print %r lms.print %s`,
		"newmut newmut write write extui if{lit}{lit} at read write read print print", "", []string{"4 0 1 0: read 2", "4 0 0 0: read 2"}},
	{"4.9 a copy of numbers shares nothing",
		twoArrays + `%c1 = lms.clone %mm : !lms.arr %r = lms.read %c1[%j] lms.write %mm[%k0], %k7 %s = lms.read %c1[%j] lms.print %r lms.print %s %t = lms.read %mm[%j] lms.print %t`,
		"newmut write extui clone read write print print read print", "", []string{"4 0 0 0: read 2, clone 1"}},
	{"4.11 a read after an update in place", `%z = lms.newmut %k3 %as = lms.lit %z, %z : !lms.arr, !lms.arr %j = arith.extui %c : i1 to i64 lms.write %z[%k2], %k7 %e = lms.at %as[%j] %r = lms.read %e[%k2] lms.print %r`,
		"newmut lit extui write at read print", "", []string{"0 0 0 0: write 1, read 1"}},
	{"4.11 readers before it come before it, alive or not", `%z = lms.newmut %k3 %as = lms.lit %z, %z : !lms.arr, !lms.arr %j = arith.extui %c : i1 to i64 %e = lms.at %as[%j] %r = lms.read %e[%k2] %dead = lms.read %e[%k1]
  lms.write %z[%k2], %k7 %s = lms.read %e[%k2] scf.if %c { lms.print %r } lms.print %s`,
		"newmut lit extui at read write read if{print}{} print", "", []string{"0 0 0 0: read 2", "0 0 1 0: print 2"}},
	{"8.3 worklist2: a shortcut", `%z = lms.zeros %n %y1 = lms.lit %z : !lms.arr %e = lms.at %y1[%k0] %r = lms.read %e[%k3] lms.print %r`, "zeros read print", "", []string{"0 0 0 0: lit 0"}},
	{"in a loop: written through the owner, read through the container", twoArrays + `%as = lms.lit %mm, %o : !lms.arr, !lms.arr %e = lms.at %as[%j] %v = lms.var %k0 : i64 ` +
		while(below("%v", "%k3"), `%r = lms.read %e[%k0] lms.print %r %u = lms.get %v : i64 lms.write %mm[%k0], %u `+next("%v", "%k1", "4")),
		"newmut newmut write write extui lit at var while{get cmpi}{read print get write addi set}", "speculate", []string{"4 0 0 0: read 3, print 3"}},
	{"mutable arrays of an array, each of its iteration: none is another", `%as = lms.arr %i < %k3 { %f = lms.newmut %k3 lms.write %f[%k0], %i lms.yield %f } %j = arith.extui %c : i1 to i64
  %e = lms.at %as[%j] %r = lms.read %e[%k0] lms.print %r %e2 = lms.at %as[%k2] %s = lms.read %e2[%k0] lms.print %s`,
		"arr{newmut write} extui at read print at read print", "", []string{"0 0 1 0: newmut 3, write 3, read 2"}},
	{"a mutable array of arrays: what is read of it comes before what is written", "%z = lms.zeros %k3 %b = lms.arr %i < %k3 { lms.yield %x } %l = lms.lit %z, %z : !lms.arr, !lms.arr %w = lms.mutcopy %l %j = arith.extui %c : i1 to i64\n" +
		`%e = lms.at %w[%j] lms.write %w[%k0], %b %e2 = lms.at %w[%j] %r = lms.read %e[%k0] %s = lms.read %e2[%k0] lms.print %r lms.print %s %t = lms.len %w lms.print %t`,
		"zeros arr{} lit mutcopy extui at write at read read print print print", "", []string{"7 0 0 0: write 1, at 2", "7 0 1 0: at 2"}},
	{"and what is written is what is read there", "%z = lms.zeros %k3 %b = lms.arr %i < %k3 { %p = lms.p \"p1\"(%i : i64) : i64 lms.yield %p } %l = lms.lit %z, %z : !lms.arr, !lms.arr %w = lms.mutcopy %l\n" +
		`lms.write %w[%k1], %b %e = lms.at %w[%k1] %r = lms.read %e[%k2] lms.print %r`,
		"arr{p1} read print", "", []string{"0 0 0 0: p1 3"}},
	{"what a mutable array of arrays holds never changes", "%b = lms.newmut %k3 lms.write %b[%k0], %x %q = lms.clone %b : !lms.arr %l = lms.lit %q, %q : !lms.arr, !lms.arr %w = lms.mutcopy %l %j = arith.extui %c : i1 to i64\n" +
		`%e = lms.at %w[%j] %r = lms.read %e[%k0] lms.write %b[%k0], %y %s = lms.read %e[%k0] lms.print %r lms.print %s %t = lms.read %b[%j] lms.print %t`,
		"newmut write clone lit mutcopy extui at read write print print read print", "", []string{"7 8 0 0: read 2, clone 1", "7 8 1 0: read 2"}},
	{"a variable of arrays of arrays", `%z = lms.zeros %k3 %b = lms.arr %i < %k3 { lms.yield %x } %l = lms.lit %z, %b : !lms.arr, !lms.arr %v = lms.var %l : !lms.arrs %l2 = lms.lit %b, %z : !lms.arr, !lms.arr scf.if %c { lms.set %v, %l2 : !lms.arrs }
  %g = lms.get %v : !lms.arrs %j = arith.extui %d : i1 to i64 %e = lms.at %g[%j] %r = lms.read %e[%k0] lms.print %r`,
		"zeros arr{} lit var if{lit set}{} get extui at read print", "", []string{"9 0 0 0: read 1, at 1", "9 0 0 1: read 1", "9 0 1 0: set 1"}},
}
