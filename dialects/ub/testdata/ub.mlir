func.func @poison(%c: i1, %x: i32) -> (i32, vector<4xf32>, i32) {
  %0 = ub.poison : i32
  %1 = ub.poison <#ub.poison> : vector<4xf32>
  %2 = ub.poison {note = "a memref"} : memref<4x?xi8>
  %3 = "ub.poison"() <{value = #ub.poison}> : () -> i32
  %4 = arith.select %c, %0, %x : i32
  return %3, %1, %4 : i32, vector<4xf32>, i32
}
