module @top attributes {a.b = 1 : i8} {
  func.func @main(%a: index, %b: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant -7 : i32
    %t = arith.constant true
    %x:2 = "t_.two"(%n, %b) : (i32, i32) -> (i32, f32)
    %s = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %b) -> (i32) {
      %y = arith.addi %acc, %n overflow<nsw> : i32
      scf.for %j = %c0 to %i step %c1 {
        "t_.use"(%j, %y, %x#1) : (index, i32, f32) -> ()
        %z = arith.constant 0 : index
        "t_.use"(%z) {loc = 1} : (index) -> ()
      } {tag}
      scf.yield %y : i32
    }
    %k = arith.cmpi slt, %s, %x#0 : i32
    "t_.regions"(%k) ({}, {
    ^bb0:
    }, {
    ^bb0(%q: i1, %r: i1):
      "t_.term"(%q) : (i1) -> ()
    }, {
      "t_.no_term"() : () -> ()
    }) {x = 2.5 : f32} : (i1) -> ()
    return %s : i32
  }
  func.func private @decl(i32, f64) -> (i32, f64)
  func.func @none() {
    return
  }
}
