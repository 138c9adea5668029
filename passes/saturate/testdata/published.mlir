// egg (Willsey and others 2021), its introduction: a shift and a division cancel.
func.func @cancel(%a: i32) -> i32 {
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %m = arith.shli %a, %1 overflow<nuw> : i32
  %r = arith.divui %m, %2 : i32
  return %r : i32
}
// egg, tests of its math language: factoring.
func.func @factor(%x: i32, %y: i32, %z: i32) -> i32 {
  %1 = arith.muli %x, %y : i32
  %2 = arith.muli %x, %z : i32
  %r = arith.addi %1, %2 : i32
  return %r : i32
}
// egg, tests of its math language: constants of a sum meet.
func.func @associate(%x: i32, %y: i32) -> i32 {
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %a = arith.addi %x, %1 : i32
  %b = arith.addi %a, %y : i32
  %r = arith.addi %b, %2 : i32
  return %r : i32
}
// egg, tests of its math language: what is added to both sides goes.
func.func @difference(%x: i32, %y: i32, %z: i32) -> i32 {
  %1 = arith.addi %x, %y : i32
  %2 = arith.addi %x, %z : i32
  %r = arith.subi %1, %2 : i32
  return %r : i32
}
// egg, tests of its math language: a sum of several products of one factor.
func.func @factors(%a: i32, %b: i32, %c: i32, %d: i32) -> i32 {
  %1 = arith.muli %a, %b : i32
  %2 = arith.muli %a, %c : i32
  %3 = arith.muli %a, %d : i32
  %4 = arith.addi %1, %2 : i32
  %r = arith.addi %4, %3 : i32
  return %r : i32
}
// Cranelift's mid-end: the law of De Morgan.
func.func @demorgan(%x: i32, %y: i32) -> i32 {
  %m = arith.constant -1 : i32
  %1 = arith.xori %x, %m : i32
  %2 = arith.xori %y, %m : i32
  %r = arith.andi %1, %2 : i32
  return %r : i32
}
// Cranelift's mid-end: bits that are in one but not in both.
func.func @unequal(%x: i32, %y: i32) -> i32 {
  %1 = arith.andi %x, %y : i32
  %2 = arith.ori %x, %y : i32
  %r = arith.xori %1, %2 : i32
  return %r : i32
}
// Cranelift's mid-end: an exclusive or twice.
func.func @twice(%x: i32, %y: i32) -> i32 {
  %1 = arith.xori %x, %y : i32
  %r = arith.xori %1, %y : i32
  return %r : i32
}
// Cranelift's mid-end: absorption.
func.func @absorb(%x: i32, %y: i32) -> i32 {
  %1 = arith.ori %x, %y : i32
  %r = arith.andi %x, %1 : i32
  return %r : i32
}
// Cranelift's mid-end: a difference by the complement.
func.func @complement(%x: i32, %y: i32) -> i32 {
  %m = arith.constant -1 : i32
  %1 = arith.constant 1 : i32
  %n = arith.xori %y, %m : i32
  %s = arith.addi %x, %n : i32
  %r = arith.addi %s, %1 : i32
  return %r : i32
}
// Cranelift's mid-end: a choice by the sign is the magnitude.
func.func @magnitude(%x: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %c = arith.cmpi slt, %x, %0 : i32
  %n = arith.subi %0, %x : i32
  %r = arith.select %c, %n, %x : i32
  return %r : i32
}
// Cranelift's mid-end: a choice of the greater one.
func.func @greater(%x: i32, %y: i32) -> i32 {
  %c = arith.cmpi sgt, %x, %y : i32
  %r = arith.select %c, %x, %y : i32
  return %r : i32
}
// Cranelift's mid-end: two signs cancel.
func.func @signs(%x: i32, %y: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.subi %0, %x : i32
  %2 = arith.subi %0, %y : i32
  %r = arith.muli %1, %2 : i32
  return %r : i32
}
// Cranelift's mid-end: a shift of both operands.
func.func @shifts(%x: i32, %y: i32, %k: i32) -> i32 {
  %1 = arith.shrui %x, %k : i32
  %2 = arith.shrui %y, %k : i32
  %r = arith.andi %1, %2 : i32
  return %r : i32
}
// Hacker's Delight (Warren 2013), 2-2: a sum by its bits.
func.func @sum(%x: i32, %y: i32) -> i32 {
  %1 = arith.constant 1 : i32
  %a = arith.xori %x, %y : i32
  %b = arith.andi %x, %y : i32
  %c = arith.shli %b, %1 : i32
  %r = arith.addi %a, %c : i32
  return %r : i32
}
// Hacker's Delight, 8-4: a product by a constant.
func.func @nine(%x: i32) -> i32 {
  %9 = arith.constant 9 : i32
  %r = arith.muli %x, %9 : i32
  return %r : i32
}
// Herbie (Panchekha and others 2015): one division in the place of two.
func.func @quotients(%x: f64, %y: f64, %z: f64) -> f64 {
  %1 = arith.divf %x, %z fastmath<fast> : f64
  %2 = arith.divf %y, %z fastmath<fast> : f64
  %r = arith.addf %1, %2 fastmath<fast> : f64
  return %r : f64
}
// Herbie: a product of exponentials.
func.func @exponentials(%x: f64, %y: f64) -> f64 {
  %1 = math.exp %x fastmath<fast> : f64
  %2 = math.exp %y fastmath<fast> : f64
  %r = arith.mulf %1, %2 fastmath<fast> : f64
  return %r : f64
}
// Herbie: a difference of logarithms.
func.func @logarithms(%x: f64, %y: f64) -> f64 {
  %1 = math.log %x fastmath<fast> : f64
  %2 = math.log %y fastmath<fast> : f64
  %r = arith.subf %1, %2 fastmath<fast> : f64
  return %r : f64
}
// Herbie: a polynomial in the form of Horner.
func.func @horner(%a: f64, %b: f64, %c: f64, %x: f64) -> f64 {
  %1 = arith.mulf %a, %x fastmath<fast> : f64
  %2 = arith.mulf %1, %x fastmath<fast> : f64
  %3 = arith.mulf %b, %x fastmath<fast> : f64
  %4 = arith.addf %2, %3 fastmath<fast> : f64
  %r = arith.addf %4, %c fastmath<fast> : f64
  return %r : f64
}
// Herbie: what is added and taken away.
func.func @takeaway(%x: f64, %y: f64) -> f64 {
  %1 = arith.addf %x, %y fastmath<fast> : f64
  %r = arith.subf %1, %x fastmath<fast> : f64
  return %r : f64
}
// Herbie: the squares of a sine and a cosine.
func.func @circle(%x: f64) -> f64 {
  %1 = math.sin %x fastmath<fast> : f64
  %2 = math.cos %x fastmath<fast> : f64
  %3 = arith.mulf %1, %1 fastmath<fast> : f64
  %4 = arith.mulf %2, %2 fastmath<fast> : f64
  %r = arith.addf %3, %4 fastmath<fast> : f64
  return %r : f64
}
