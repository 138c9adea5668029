package lms_test

// while makes a loop on a condition of a variable: cond computes %l.
func while(cond, body string) string {
	return "scf.while : () -> () { " + cond + " scf.condition(%l) } do { " + body + " scf.yield }\n"
}

// below is the condition that a variable holds less than a value.
func below(v, n string) string {
	return "%g = lms.get " + v + " : i64 %l = arith.cmpi slt, %g, " + n + " : i64"
}

// next adds to a variable; its names end in id.
func next(v, by, id string) string {
	return "%g" + id + " = lms.get " + v + " : i64 %s" + id + " = arith.addi %g" + id + ", " + by + " : i64 lms.set " + v + ", %s" + id + " : i64\n"
}

const lmsVars = "%x0 = lms.var %k7 : i64 %c0 = lms.var %k0 : i64 %z0 = lms.var %k0 : i64 %y0 = lms.var %k3 : i64\n"

// Section 5: loops rewritten optimistically.
var loopCases = []testCase{
	{"5.7 s3: only c remains", lmsVars + while(below("%c0", "%k10"),
		`%a = lms.get %x0 : i64 lms.print %a %b = lms.get %c0 : i64 lms.print %b lms.set %z0, %k2 : i64 `+next("%c0", "%k1", "1")+
			`%e = lms.get %z0 : i64 lms.print %e`) + `%a = lms.get %x0 : i64 lms.print %a %b = lms.get %c0 : i64 lms.print %b`,
		"var while{get cmpi}{print get print addi set print} print get print", "", []string{"0 0 0 0: var 1, print 32, set 10"}},
	{"5.7 s3b: a counter of its own", lmsVars + while(below("%c0", "%k10"),
		`%a = lms.get %x0 : i64 lms.print %a %b = lms.get %c0 : i64 lms.print %b `+next("%c0", "%k1", "1")+next("%y0", "%k2", "2")) + `%b = lms.get %c0 : i64 lms.print %b`,
		"var while{get cmpi}{print get print addi set} get print", "", []string{"0 0 0 0: var 1, set 10, addi 10"}},
	{"5.9 s5: two iterations of the optimist", lmsVars + while(below("%c0", "%k10"),
		`%a = lms.get %x0 : i64 %m0 = arith.cmpi slt, %a, %k10 : i64 scf.if %m0 { lms.print %k1 } else { %q = lms.get %c0 : i64 lms.set %x0, %q : i64 }
    %b = lms.get %x0 : i64 lms.print %b %d0 = lms.get %c0 : i64 lms.print %d0 `+next("%c0", "%k1", "1")) + `%b = lms.get %x0 : i64 lms.print %b`,
		"var while{get cmpi}{get print print print addi set} print", "speculate", []string{"0 0 0 0: if 0, var 1, print 31, set 10"}},
	{"5.9 for a pessimist", lmsVars + while(below("%c0", "%k10"),
		`%a = lms.get %x0 : i64 %m0 = arith.cmpi slt, %a, %k10 : i64 scf.if %m0 { lms.print %k1 } else { %q = lms.get %c0 : i64 lms.set %x0, %q : i64 }
    `+next("%c0", "%k1", "1")) + `%b = lms.get %x0 : i64 lms.print %b`,
		"var var while{get cmpi}{get cmpi get if{print}{set} addi set} get print", "canonicalize", []string{"0 0 0 0: if 10"}},
	{"5.12: no enumeration of values", `%v = lms.var %k0 : i64 %t = lms.var %k0 : i64 ` + while(below("%v", "%y"), next("%v", "%k1", "1")) + `%r = lms.get %v : i64 lms.print %r`,
		"var while{get cmpi}{get addi set} get print", "speculate", []string{"0 9 0 0: set 9"}},
	{"two that vouch for one another", lmsVars + while(below("%c0", "%k10"),
		`%a = lms.get %x0 : i64 %m0 = arith.cmpi eq, %a, %k7 : i64 scf.if %m0 { lms.print %a } else { lms.set %y0, %k1 : i64 }
    %b = lms.get %y0 : i64 %m1 = arith.cmpi eq, %b, %k3 : i64 scf.if %m1 { lms.print %b } else { lms.set %x0, %k1 : i64 } `+next("%c0", "%k1", "1")),
		"var while{get cmpi}{print print get addi set}", "speculate", []string{"0 0 0 0: if 0, print 20"}},
	{"one that does change spoils the other", lmsVars + while(below("%c0", "%k10"),
		`%a = lms.get %x0 : i64 %m0 = arith.cmpi eq, %a, %k7 : i64 scf.if %m0 { lms.print %a } else { lms.set %y0, %k1 : i64 }
    %b = lms.get %y0 : i64 lms.print %b `+next("%c0", "%k1", "1")+`scf.if %c { lms.set %x0, %k1 : i64 }`),
		"var var var while{get cmpi}{get cmpi if{print}{set} get print get addi set if{set}{}}", "speculate", []string{"0 0 1 0: print 11, if 20", "0 0 0 0: print 20"}},
	{"5.10 s6: an inner loop starts anew", `%v = lms.var %k0 : i64 ` + while(below("%v", "%k10"),
		`%w = lms.var %k0 : i64 `+while(below("%w", "%k10"), `%a = lms.get %v : i64 lms.print %a %b = lms.get %w : i64 lms.print %b `+next("%w", "%k1", "1"))+next("%v", "%k1", "2")),
		"var while{get cmpi}{var get while{get cmpi}{print get print addi set} addi set}", "speculate", []string{"0 0 0 0: print 200, var 11"}},
	{"a steady value through two loops", lmsVars + while(below("%c0", "%k3"),
		`lms.set %z0, %k0 : i64 `+while(below("%z0", "%k3"), `%a = lms.get %x0 : i64 %m0 = arith.cmpi slt, %a, %k10 : i64 scf.if %m0 { lms.print %a } else { lms.set %x0, %k1 : i64 } `+next("%z0", "%k1", "1"))+next("%c0", "%k1", "2")),
		"var var while{get cmpi}{set while{get cmpi}{print get addi set} get addi set}", "speculate", []string{"0 0 0 0: print 9, if 0"}},
	{"the outer loop changes what the inner one keeps", lmsVars + while(below("%c0", "%k3"),
		`lms.set %z0, %k0 : i64 `+while(below("%z0", "%k3"), `%a = lms.get %x0 : i64 lms.print %a `+next("%z0", "%k1", "1"))+`lms.set %x0, %k1 : i64 `+next("%c0", "%k1", "2")),
		"var var var while{get cmpi}{set get while{get cmpi}{print get addi set} set get addi set}", "speculate", []string{"0 0 0 0: print 9, get 31"}},
	{"a loop in a branch that is never taken", lmsVars + while(below("%c0", "%k3"),
		`%a = lms.get %x0 : i64 %m0 = arith.cmpi sgt, %a, %k10 : i64 scf.if %m0 { `+while(below("%z0", "%k3"), next("%z0", "%k1", "1")+`lms.set %x0, %k1 : i64`)+` } `+next("%c0", "%k1", "2")) +
		`%a = lms.get %x0 : i64 %b = lms.get %z0 : i64 lms.print %a lms.print %b`, "print print", "speculate", nil},
	{"an array that is read but never written in the end", `%a0 = lms.newmut %k10 lms.write %a0[%k1], %x ` + lmsVars + while(below("%c0", "%k3"),
		`%a = lms.get %x0 : i64 %m0 = arith.cmpi sgt, %a, %k10 : i64 scf.if %m0 { lms.write %a0[%k1], %k2 lms.set %x0, %k1 : i64 } %r = lms.read %a0[%k1] lms.print %r `+next("%c0", "%k1", "2")),
		"var while{get cmpi}{print get addi set}", "speculate", []string{"5 0 0 0: read 0, print 3"}},
	{"a carried value that stays what it is", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  %r:2 = scf.for %i = %z to %e step %o iter_args(%p = %k7, %q = %k0) -> (i64, i64) { %m0 = arith.cmpi slt, %p, %k10 : i64
    %n0 = scf.if %m0 -> (i64) { lms.print %q scf.yield %p : i64 } else { scf.yield %q : i64 } %s = arith.addi %q, %p : i64 scf.yield %n0, %s : i64, i64 }
  lms.print %r#0 lms.print %r#1`, "for{print addi} print print", "speculate", []string{"0 0 0 0: if 0, print 7"}},
	{"a carried value and a variable vouch for one another", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index ` + lmsVars +
		`%r = scf.for %i = %z to %e step %o iter_args(%p = %k7) -> (i64) { %a = lms.get %x0 : i64 %m0 = arith.cmpi eq, %a, %k7 : i64
    %n0 = scf.if %m0 -> (i64) { scf.yield %p : i64 } else { scf.yield %k1 : i64 } %m1 = arith.cmpi eq, %p, %k7 : i64
    scf.if %m1 { lms.print %a } else { lms.set %x0, %k2 : i64 } scf.yield %n0 : i64 }
  lms.print %r`, "for{print} print", "speculate", []string{"0 0 0 0: if 0, print 6"}},
	{"a while that carries", `%r:2 = scf.while (%p = %k7, %q = %k0) : (i64, i64) -> (i64, i64) { %l = arith.cmpi slt, %q, %p : i64 scf.condition(%l) %p, %q : i64, i64 }
  do { ^bb0(%p: i64, %q: i64): lms.print %p %m0 = arith.cmpi sgt, %p, %k10 : i64 %n0 = arith.addi %p, %q : i64 %n1 = arith.select %m0, %n0, %p : i64 %s = arith.addi %q, %k1 : i64 scf.yield %n1, %s : i64, i64 }
  lms.print %r#0 lms.print %r#1`, "while{cmpi}{print addi} print print", "speculate", []string{"0 0 0 0: print 9, select 0"}},
	{"values that change places but are the same", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  %r:2 = scf.for %i = %z to %e step %o iter_args(%p = %x, %q = %x) -> (i64, i64) { lms.print %p scf.yield %q, %p : i64, i64 } lms.print %r#0 lms.print %r#1`,
		"for{print} print print", "speculate", []string{"1 0 0 0: print 7"}},
	{"a sum over a steady variable", lmsVars + `%r = lms.sum %i < %k10 { %a = lms.get %x0 : i64 %b = arith.muli %a, %i : i64 lms.yield %b } lms.print %r lms.set %x0, %x : i64 %q = lms.get %x0 : i64 lms.print %q`,
		"sum{muli} print print", "speculate", []string{"0 0 0 0: muli 10, get 0"}},
	{"early-dead writes", lmsVars + `lms.set %x0, %x : i64 lms.set %x0, %k2 : i64 scf.if %c { lms.set %x0, %y : i64 } lms.set %x0, %k1 : i64 %a = lms.get %x0 : i64 lms.print %a`,
		"print", "canonicalize", []string{"0 0 1 0: set 0, if 0"}},
	{"a write in each branch that the next write covers", lmsVars + `scf.if %c { lms.set %x0, %y : i64 lms.print %k1 } else { lms.set %x0, %k1 : i64 } lms.set %x0, %k2 : i64 %a = lms.get %x0 : i64 lms.print %a scf.if %d { lms.set %x0, %y : i64 } %b = lms.get %x0 : i64 lms.print %b`,
		"var if{print}{} set print if{set}{} get print", "split-effects", []string{"0 0 1 0: set 1, print 3"}},
	{"5.8: never entered", lmsVars + while(`%g = lms.get %x0 : i64 %l = arith.cmpi sgt, %g, %k10 : i64`, `lms.print %k1 lms.set %y0, %k1 : i64`) + `%a = lms.get %y0 : i64 lms.print %a`,
		"print", "", []string{"0 0 0 0: while 0"}},
	{"the same in memory of memref", `%v = memref.alloca() : memref<i64> %w = memref.alloca() : memref<4xi64> %z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  memref.store %k7, %v[] : memref<i64> memref.store %k1, %w[%o] : memref<4xi64>
  scf.for %i = %z to %e step %o { %a = memref.load %v[] : memref<i64> %m0 = arith.cmpi slt, %a, %k10 : i64
    scf.if %m0 { lms.print %a } else { memref.store %x, %v[] : memref<i64> memref.store %x, %w[%o] : memref<4xi64> }
    %b = memref.load %w[%o] : memref<4xi64> lms.print %b }`, "for{print print}", "speculate", []string{"0 0 0 0: print 10, load 0"}},
	{"an array beside a variable, both written", `%a0 = lms.newmut %k10 lms.write %a0[%k0], %x lms.write %a0[%k1], %y ` + lmsVars + while(below("%c0", "%k3"),
		`%r = lms.read %a0[%k1] lms.print %r %u = lms.get %c0 : i64 lms.write %a0[%u], %u %a = lms.get %x0 : i64 lms.print %a `+next("%c0", "%k1", "2")),
		"newmut write write var while{get cmpi}{read print get write print addi set}", "speculate", []string{"5 0 0 0: read 3, write 5"}},
}
