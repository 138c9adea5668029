// Corners of integer arithmetic: wrapping, least values, shifts by width-1,
// division that rounds up, down and towards zero, and results of two parts.

func.func @wrap_i8(%a: i8, %b: i8) -> (i8, i8, i8) {
  %s = arith.addi %a, %b : i8
  %d = arith.subi %a, %b : i8
  %p = arith.muli %a, %b : i8
  return %s, %d, %p : i8, i8, i8
}

func.func @wrap_i64(%a: i64, %b: i64) -> (i64, i64, i64) {
  %s = arith.addi %a, %b : i64
  %d = arith.subi %s, %a : i64
  %p = arith.muli %d, %s : i64
  return %s, %d, %p : i64, i64, i64
}

func.func @logic_i1(%a: i1, %b: i1) -> (i1, i1, i1, i1, i1) {
  %s = arith.addi %a, %b : i1
  %p = arith.muli %a, %b : i1
  %d = arith.subi %a, %b : i1
  %o = arith.ori %a, %b : i1
  %x = arith.xori %o, %d : i1
  return %s, %p, %d, %o, %x : i1, i1, i1, i1, i1
}

// i1 is signed where an op says so: true is -1.
func.func @order_i1(%a: i1, %b: i1) -> (i1, i1, i1, i1, i64, i64) {
  %lt = arith.cmpi slt, %a, %b : i1
  %ult = arith.cmpi ult, %a, %b : i1
  %max = arith.maxsi %a, %b : i1
  %umax = arith.maxui %a, %b : i1
  %s = arith.extsi %a : i1 to i64
  %u = arith.extui %a : i1 to i64
  return %lt, %ult, %max, %umax, %s, %u : i1, i1, i1, i1, i64, i64
}

func.func @shift_edge_i32(%a: i32) -> (i32, i32, i32) {
  %c31 = arith.constant 31 : i32
  %l = arith.shli %a, %c31 : i32
  %u = arith.shrui %a, %c31 : i32
  %s = arith.shrsi %a, %c31 : i32
  return %l, %u, %s : i32, i32, i32
}

func.func @shift_i8(%a: i8, %n: i8) -> (i8, i8, i8) {
  %c7 = arith.constant 7 : i8
  %k = arith.andi %n, %c7 : i8
  %l = arith.shli %a, %k : i8
  %u = arith.shrui %a, %k : i8
  %s = arith.shrsi %a, %k : i8
  return %l, %u, %s : i8, i8, i8
}

func.func @shift_i64(%a: i64, %n: i64) -> (i64, i64, i64) {
  %c63 = arith.constant 63 : i64
  %k = arith.andi %n, %c63 : i64
  %l = arith.shli %a, %k : i64
  %u = arith.shrui %a, %k : i64
  %s = arith.shrsi %a, %k : i64
  return %l, %u, %s : i64, i64, i64
}

// All ways to divide by a positive number. The least dividend is left out here and
// below: MLIR 19 expands ceildivsi by negating it.
func.func @divide_i16(%a0: i16, %b0: i16) -> (i16, i16, i16, i16, i16, i16) {
  %least = arith.constant -32767 : i16
  %a = arith.maxsi %a0, %least : i16
  %one = arith.constant 1 : i16
  %low = arith.constant 127 : i16
  %b1 = arith.andi %b0, %low : i16
  %b = arith.addi %b1, %one : i16
  %q = arith.divsi %a, %b : i16
  %r = arith.remsi %a, %b : i16
  %f = arith.floordivsi %a, %b : i16
  %c = arith.ceildivsi %a, %b : i16
  %u = arith.divui %a, %b : i16
  %v = arith.remui %a, %b : i16
  return %q, %r, %f, %c, %u, %v : i16, i16, i16, i16, i16, i16
}

// By a negative number below -1: no overflow.
func.func @divide_negative(%a0: i32, %b0: i32) -> (i32, i32, i32, i32) {
  %least = arith.constant -2147483647 : i32
  %a = arith.maxsi %a0, %least : i32
  %two = arith.constant -2 : i32
  %low = arith.constant 1023 : i32
  %b1 = arith.andi %b0, %low : i32
  %b = arith.subi %two, %b1 : i32
  %q = arith.divsi %a, %b : i32
  %r = arith.remsi %a, %b : i32
  %f = arith.floordivsi %a, %b : i32
  %c = arith.ceildivsi %a, %b : i32
  return %q, %r, %f, %c : i32, i32, i32, i32
}

func.func @divide_constants(%a0: i64) -> (i64, i64, i64, i64, i64) {
  %least = arith.constant -9223372036854775807 : i64
  %a = arith.maxsi %a0, %least : i64
  %m7 = arith.constant -7 : i64
  %c8 = arith.constant 8 : i64
  %c10 = arith.constant 10 : i64
  %q = arith.divsi %a, %m7 : i64
  %e = arith.divsi %a, %c8 : i64
  %f = arith.floordivsi %a, %c8 : i64
  %c = arith.ceildivsi %a, %c10 : i64
  %u = arith.ceildivui %a, %c10 : i64
  return %q, %e, %f, %c, %u : i64, i64, i64, i64, i64
}

func.func @divide_index(%a0: index, %b0: index) -> (index, index, index, index) {
  %least = arith.constant -9223372036854775807 : index
  %a = arith.maxsi %a0, %least : index
  %one = arith.constant 1 : index
  %low = arith.constant 255 : index
  %b1 = arith.andi %b0, %low : index
  %b = arith.addi %b1, %one : index
  %f = arith.floordivsi %a, %b : index
  %c = arith.ceildivsi %a, %b : index
  %u = arith.ceildivui %a, %b : index
  %r = arith.remui %a, %b : index
  return %f, %c, %u, %r : index, index, index, index
}

func.func @extended(%a: i32, %b: i32) -> (i32, i1, i32, i32, i32, i32) {
  %s, %over = arith.addui_extended %a, %b : i32, i1
  %lo, %hi = arith.mulsi_extended %a, %b : i32
  %ulo, %uhi = arith.mului_extended %a, %b : i32
  return %s, %over, %lo, %hi, %ulo, %uhi : i32, i1, i32, i32, i32, i32
}

func.func @extended_i64(%a: i64, %b: i64) -> (i64, i1, i64, i64) {
  %s, %over = arith.addui_extended %a, %b : i64, i1
  %lo, %hi = arith.mulsi_extended %a, %b : i64
  %ulo, %uhi = arith.mului_extended %a, %b : i64
  return %s, %over, %hi, %uhi : i64, i1, i64, i64
}

// Sign and zero extension, truncation, and index in the middle.
func.func @widths(%a: i8, %b: i64) -> (i32, i32, i8, i1, i64, i64, i16) {
  %s = arith.extsi %a : i8 to i32
  %u = arith.extui %a : i8 to i32
  %t = arith.trunci %b : i64 to i8
  %bit = arith.trunci %b : i64 to i1
  %i = arith.index_cast %a : i8 to index
  %back = arith.index_cast %i : index to i64
  %j = arith.index_castui %a : i8 to index
  %uback = arith.index_cast %j : index to i64
  %k = arith.index_cast %b : i64 to index
  %short = arith.index_cast %k : index to i16
  return %s, %u, %t, %bit, %back, %uback, %short : i32, i32, i8, i1, i64, i64, i16
}

func.func @compare_signed(%a: i32, %b: i32) -> (i1, i1, i1, i1, i1, i1) {
  %eq = arith.cmpi eq, %a, %b : i32
  %ne = arith.cmpi ne, %a, %b : i32
  %lt = arith.cmpi slt, %a, %b : i32
  %le = arith.cmpi sle, %a, %b : i32
  %gt = arith.cmpi sgt, %a, %b : i32
  %ge = arith.cmpi sge, %a, %b : i32
  return %eq, %ne, %lt, %le, %gt, %ge : i1, i1, i1, i1, i1, i1
}

func.func @compare_unsigned(%a: i16, %b: i16) -> (i1, i1, i1, i1, i16, i16) {
  %lt = arith.cmpi ult, %a, %b : i16
  %le = arith.cmpi ule, %a, %b : i16
  %gt = arith.cmpi ugt, %a, %b : i16
  %ge = arith.cmpi uge, %a, %b : i16
  %max = arith.maxui %a, %b : i16
  %min = arith.minui %a, %b : i16
  return %lt, %le, %gt, %ge, %max, %min : i1, i1, i1, i1, i16, i16
}

func.func @compare_index(%a: index, %b: index) -> (i1, i1, index, index) {
  %lt = arith.cmpi slt, %a, %b : index
  %ult = arith.cmpi ult, %a, %b : index
  %max = arith.maxsi %a, %b : index
  %min = arith.minui %a, %b : index
  return %lt, %ult, %max, %min : i1, i1, index, index
}

// Ranges decide the comparisons here; the folds must decide them as the machine does.
func.func @ranges(%a: i32) -> (i1, i1, i32, i32) {
  %c100 = arith.constant 100 : i32
  %m100 = arith.constant -100 : i32
  %mask = arith.constant 63 : i32
  %x = arith.maxsi %a, %m100 : i32
  %y = arith.minsi %x, %c100 : i32
  %low = arith.andi %a, %mask : i32
  %p = arith.cmpi slt, %y, %c100 : i32
  %q = arith.cmpi ule, %low, %mask : i32
  %r = arith.remsi %y, %c100 : i32
  %s = arith.addi %y, %low : i32
  return %p, %q, %r, %s : i1, i1, i32, i32
}

func.func @bits(%a: i32) -> (i32, i32, i32, i32) {
  %lz = math.ctlz %a : i32
  %tz = math.cttz %a : i32
  %pop = math.ctpop %a : i32
  %abs = math.absi %a : i32
  return %lz, %tz, %pop, %abs : i32, i32, i32, i32
}

func.func @bits_i8(%a: i8) -> (i8, i8, i8) {
  %lz = math.ctlz %a : i8
  %tz = math.cttz %a : i8
  %pop = math.ctpop %a : i8
  return %lz, %tz, %pop : i8, i8, i8
}

// Identities that folds use, on the whole range.
func.func @identities(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32, i1) {
  %zero = arith.constant 0 : i32
  %ones = arith.constant -1 : i32
  %c4 = arith.constant 4 : i32
  %s = arith.addi %a, %b : i32
  %r1 = arith.subi %s, %b : i32
  %n = arith.subi %zero, %a : i32
  %r2 = arith.subi %zero, %n : i32
  %x = arith.xori %a, %ones : i32
  %r3 = arith.xori %x, %ones : i32
  %m = arith.muli %a, %c4 : i32
  %r4 = arith.divsi %m, %c4 : i32
  %o = arith.ori %a, %b : i32
  %r5 = arith.andi %o, %a : i32
  %c = arith.cmpi sgt, %s, %a : i32
  return %r1, %r2, %r3, %r4, %r5, %c : i32, i32, i32, i32, i32, i1
}

func.func @select_chain(%a: i64, %b: i64, %c: i1, %d: i1) -> i64 {
  %x = arith.select %c, %a, %b : i64
  %y = arith.select %c, %x, %a : i64
  %z = arith.select %d, %y, %b : i64
  %e = arith.andi %c, %d : i1
  %w = arith.select %e, %z, %y : i64
  return %w : i64
}
