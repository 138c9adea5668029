package lms_test

const threeVars = "%a0 = lms.var %y : i64 %b0 = lms.var %x : i64 %c0 = lms.var %k2 : i64\n"

const showAC = "%p = lms.get %a0 : i64 %q = lms.get %c0 : i64 %s = arith.addi %p, %q : i64 lms.print %s\n"

// Sections 2, 3 and 6: conditionals with effects, and where things stand.
var branchCases = []testCase{
	{"2.4 if_effect_reifyHere", `%v = lms.var %k0 : i64 %w = lms.var %k0 : i64 %e = arith.cmpi eq, %x, %k0 : i64
  scf.if %e { ` + next("%v", "%k1", "1") + next("%w", "%k7", "2") + `} else { ` + next("%v", "%k3", "3") + `} %r = lms.get %w : i64 lms.print %r`,
		"var cmpi if{set}{} get print", "", []string{"0 0 0 0: set 1, addi 0", "1 0 0 0: set 0"}},
	{"2.4 in a loop", `%v = lms.var %k0 : i64 %w = lms.var %k0 : i64 %e = arith.cmpi eq, %x, %k0 : i64 %t = lms.var %k0 : i64
  ` + while(below("%t", "%k3"), `scf.if %e { `+next("%v", "%k1", "1")+next("%w", "%k7", "2")+`} else { `+next("%v", "%k3", "3")+`} `+next("%t", "%k1", "4")) + `%r = lms.get %w : i64 lms.print %r`,
		"var cmpi var while{get cmpi}{if{get addi set}{} get addi set} get print", "", []string{"0 0 0 0: set 6, print 1", "1 0 0 0: set 3"}},
	{"6.1: b is not used at all", threeVars + `scf.if %c { lms.set %a0, %k10 : i64 lms.set %b0, %k1 : i64 } else { lms.set %c0, %k3 : i64 } ` + showAC,
		"var var if{set}{set} get get addi print", "split-effects", []string{"0 0 1 0: set 1, if 1", "0 0 0 0: set 1, if 1"}},
	{"6.1: b is overwritten, and then used", threeVars + `scf.if %c { lms.set %a0, %k10 : i64 lms.set %b0, %k1 : i64 } else { lms.set %c0, %k3 : i64 } lms.set %b0, %k7 : i64 ` + showAC + `%t = lms.get %b0 : i64 lms.print %t`,
		"var var if{set}{set} get get addi print print", "split-effects", []string{"0 0 1 0: set 1, if 1"}},
	{"6.1 without merging", threeVars + `scf.if %c { lms.set %a0, %k10 : i64 lms.set %b0, %k1 : i64 } else { lms.set %c0, %k3 : i64 } ` + showAC + `%t = lms.get %b0 : i64 lms.print %t`,
		"var var var if{set}{} if{set}{} if{}{set} get get addi print get print", "split-effects{merge=false}", []string{"0 0 1 0: set 2, if 3"}},
	{"6.1 with an array", `%a1 = lms.newmut %k3 lms.write %a1[%k0], %y ` + threeVars + `scf.if %c { lms.write %a1[%k0], %k10 lms.set %b0, %k1 : i64 lms.print %k1 } else { lms.set %c0, %k3 : i64 } lms.set %b0, %k7 : i64 %r = lms.read %a1[%k0] lms.print %r ` + showAC,
		"newmut write var if{write print}{set} read print get addi print", "split-effects", []string{"0 3 1 0: set 0, if 1, print 3"}},
	{"6.1 in a loop", threeVars + `%t = lms.var %k0 : i64 ` + while(below("%t", "%k3"), `scf.if %c { lms.set %a0, %k10 : i64 lms.set %b0, %k1 : i64 } else { lms.set %c0, %k3 : i64 } lms.set %b0, %k7 : i64 `+next("%t", "%k1", "4")+`%u = lms.get %b0 : i64 lms.print %u `) + showAC,
		"var var var while{get cmpi}{if{set}{set} get addi set print} get get addi print", "split-effects,canonicalize", []string{"0 0 1 0: set 6, print 4"}},
	{"6.1 nested", threeVars + `scf.if %c { scf.if %d { lms.set %a0, %k10 : i64 lms.set %b0, %k1 : i64 } else { lms.set %b0, %k7 : i64 } } else { lms.set %c0, %k3 : i64 } lms.set %b0, %k7 : i64 ` + showAC + `%t = lms.get %b0 : i64 lms.print %t`,
		"var var if{if{set}{}}{set} get get addi print print", "split-effects", []string{"0 0 1 0: set 0, if 2", "0 0 1 1: set 1"}},
	{"6.1 with a value that is not used", threeVars + `%v = scf.if %c -> (i64) { lms.set %a0, %k10 : i64 lms.set %b0, %k1 : i64 %u = lms.p "p1"(%x : i64) : i64 scf.yield %u : i64 } else { lms.set %c0, %k3 : i64 scf.yield %x : i64 } lms.set %b0, %v : i64 lms.set %b0, %k7 : i64 ` + showAC + `%t = lms.get %b0 : i64 lms.print %t`,
		"var var if{set}{set} get get addi print print", "split-effects", []string{"0 0 1 0: p1 0, set 1"}},
	{"6.2: a dependence across", threeVars + `scf.if %c { lms.set %a0, %k1 : i64 } %t = lms.get %a0 : i64 scf.if %c { lms.set %c0, %t : i64 } ` + showAC,
		"var var if{set}{} get if{set}{} get addi print", "split-effects", []string{"0 4 1 0: if 2, set 2", "0 4 0 0: set 0"}},
	{"6.2: without what lies between they are one", threeVars + `scf.if %c { lms.set %a0, %k1 : i64 } scf.if %c { %t = lms.get %a0 : i64 lms.set %c0, %t : i64 } %q = lms.get %c0 : i64 lms.print %q lms.set %a0, %q : i64 lms.print %x`,
		"var if{set}{} get print print", "split-effects", []string{"0 4 1 0: if 1, set 1"}},
	{"6.2: one reads what the other wrote, in an array", `%a1 = lms.newmut %k3 lms.write %a1[%k0], %y ` + threeVars + `scf.if %c { lms.write %a1[%k0], %k10 } scf.if %c { %j = arith.extui %d : i1 to i64 %t = lms.read %a1[%j] lms.set %c0, %t : i64 } %q = lms.get %c0 : i64 lms.print %q`,
		"newmut write var if{write extui read set}{} get print", "split-effects", []string{"0 4 1 0: if 1, set 1, write 2", "0 4 0 0: read 0"}},
	{"merged past a print that neither needs", threeVars + `scf.if %c { lms.set %a0, %k1 : i64 } lms.print %x scf.if %c { lms.set %c0, %y : i64 } else { lms.set %a0, %k10 : i64 } ` + showAC,
		"var var print if{set set}{set} get get addi print", "split-effects", []string{"0 4 1 0: if 1, set 2", "0 4 0 0: set 1"}},
	{"two that print stay in order with what prints between", `scf.if %c { lms.print %k1 } lms.print %x scf.if %c { lms.print %k2 }`,
		"if{print}{} print if{print}{}", "split-effects", []string{"0 0 1 0: print 3"}},
	{"3.4 in a loop: it leaves the loop, no copies", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  scf.for %i = %z to %e step %o { %q = arith.index_cast %i : index to i64 %v = lms.p "p1" : i64 %p0 = lms.p "p0"(%q : i64) : i1 scf.if %p0 { lms.print %v } %p2 = lms.p "p2"(%q : i64) : i1 scf.if %p2 { lms.print %v } }`,
		"p1 for{index_cast p0 if{print}{} p2 if{print}{}}", "", []string{"0 0 0 0: p1 1, p0 5"}},
	{"3.4 in both branches and behind: no copies", `%v = lms.p "p1" : i64 scf.if %c { lms.print %v } scf.if %d { lms.print %v } lms.print %v`,
		"p1 if{print}{} if{print}{} print", "", []string{"0 0 0 0: p1 1"}},
	{"3.4 a chain goes along", `%v = lms.p "p1" : i64 %w = lms.p "p2"(%v : i64) : i64 scf.if %c { lms.print %w } scf.if %d { lms.print %w }`,
		"if{p1 p2 print}{} if{p1 p2 print}{}", "", []string{"0 0 0 0: p1 0, p2 0", "0 0 1 0: p1 1, p2 1"}},
	{"3.1 with a loop between", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  scf.for %i = %z to %e step %o { %q = arith.index_cast %i : index to i64 scf.for %j = %z to %e step %o { %v = lms.p "p1"(%x : i64) : i64 %w = lms.p "p2"(%v, %q : i64, i64) : i64 lms.print %w } }`,
		"p1 for{index_cast p2 for{print}}", "", []string{"0 0 0 0: p1 1, p2 5, print 25"}},
	{"3.16 in a while", `%t = lms.var %k0 : i64 ` + while(below("%t", "%y"), `%g1 = arith.cmpi ne, %x, %k0 : i64 scf.if %g1 { %q = arith.remsi %n, %x : i64 lms.print %q } `+next("%t", "%k1", "4")),
		"var cmpi while{get cmpi}{if{remsi print}{} get addi set}", "", []string{"0 9 0 0: remsi 0", "2 3 0 0: remsi 3"}},
	{"5.2 the else side, and after the join", `scf.if %c { lms.print %k1 } else { scf.if %c { lms.print %k2 } else { lms.print %k3 } } scf.if %c { lms.print %k7 }`,
		"if{print}{print} if{print}{}", "", []string{"0 0 0 0: if 2, print 1"}},
	{"5.2 what follows from a conjunction", `%e = arith.andi %c, %d : i1 scf.if %e { scf.if %c { lms.print %k1 } else { lms.print %k2 } scf.if %d { lms.print %k3 } }`,
		"andi if{print print}{}", "", []string{"0 0 1 1: if 1, print 2"}},
	{"5.2 what equals a constant", `%e = arith.cmpi eq, %x, %k2 : i64 scf.if %e { %u = arith.muli %x, %x : i64 lms.print %u %l = arith.cmpi slt, %x, %k3 : i64 scf.if %l { lms.print %x } }`,
		"cmpi if{print print}{}", "", []string{"2 0 0 0: muli 0, print 2"}},
	{"5.2 in a loop", `%t = lms.var %k0 : i64 scf.if %c { ` + while(below("%t", "%k3"), `scf.if %c { lms.print %k1 } else { lms.set %t, %k10 : i64 } `+next("%t", "%k1", "4")) + `}`,
		"var if{while{get cmpi}{print get addi set}}{}", "", []string{"0 0 1 0: print 3, if 1"}},
}
