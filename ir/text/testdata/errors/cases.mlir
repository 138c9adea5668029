func.func @f(%arg: i32) -> i32 {
  %x = arith.addi %agr, %arg : i32
  %y = arith.addi %x, %x : i32
  %z = arith.addi %arg, %arg : i64
  return %z : i32
}
// -----
"func.func"() <{sym_name = "f", function_type = () -> ()}> ({
  "t_.br"()[^bb1] : () -> ()
^bb1:
  "t_.b"() : () -> ()
}) : () -> ()
// -----
func.func @f() {
^bb0:
  return
^bb1:
  return
}
// -----
%a = "t_.x"() : () -> i32
%b = "t_.y"(%a) : (i64) -> i32
%c = "t_.y"(%a, %a) : (i32) -> i32
%d = "t_.y"(%b) : (i32) -> (i32, i32)
%e = "t_.y"(%a#1) : (i32) -> i32
%a = "t_.x"() : () -> i32
// -----
%a = arith.adi %b, %b : i32
"arith.subx"() : () -> ()
%c = foo.bar %a
"cf.br"() : () -> ()
addi %a
// -----
%a = "t_.x"(%b) : (i32) -> i32
%b = "t_.x"() : () -> i32
// -----
"t_.x"() {a = 300 : i8, b = 1} : () -> ()
"t_.x"() {a = 1, a = 2} : () -> ()
"t_.x"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()
"t_.x"() {a = dense<1> : tensor<?xi32>} : () -> ()
"t_.x"() {a = 1 : f32} : () -> ()
"t_.x"() {a = affine_map<(d0) -> (d0 * d0)>} : () -> ()
"t_.x"() {a = affine_map<(d0) -> (d1)>} : () -> ()
"t_.x"() {a = vector<0xi32>} : () -> ()
"t_.x"() {a = tensor<4xi32} : () -> ()
"t_.x"() {a = "unterminated} : () -> ()
"t_.x"() {a = #undefined} : () -> ()
"t_.x"() {a = i99999999999} : () -> ()
"t_.x"() {a = memref<2x2xf32, strided<[1]>>} : () -> ()
"t_.x"() {a = "\q"} : () -> ()
// -----
func.func @f( {
// -----
func.func @f() {
  %0 = "t_.x"() : () -> i32
// -----
#a = #b
#b = #a
"t_.x"() {x = #a} : () -> ()
// -----
%0:2 = "t_.x"() : () -> i32
%1 = "t_.x"(%0#0) : (i32) -> i32
// -----
func.func @f(%a: i32) {
  func.func @g() {
    "t_.use"(%a) : (i32) -> ()
  }
  return
  "t_.use"(%a) : (i32) -> ()
}
// -----
%0 = arith.cmpi lst, %a, %b : i32
%1 = arith.constant 5 : i32
%2 = arith.addi %1, %1 overflow<nws> : i32
%3 = arith.addi %1 %1 : i32
"t_.x"() : () -> () ) 
// -----
#twice = 1
#twice = 1
// -----
"t_.x"() {a = distinct[0]<1>} : () -> ()
"t_.x"() {a = distinct[0]<2>} : () -> ()
// -----
"t_.x"() {a = sparse<[[0, 0]], [[1]]> : tensor<1x1xi8>} : () -> ()
"t_.x"() {a = sparse<[[0, 3]], [1]> : tensor<1x1xi8>} : () -> ()
"t_.x"() {a = sparse<[[0], [1, 2]], 1> : tensor<1x1xi8>} : () -> ()
"t_.x"() {a = dense_resource<key> : i32} : () -> ()
"t_.x"() {a = dense<true> : tensor<2xi8>} : () -> ()
"t_.x"() {a = memref<2xf32, strided<[0]>>} : () -> ()
// -----
"t_.x"() : () -> () loc(callsite("a" "b"))
"t_.x"() : () -> () loc()
"t_.x"() : () -> () loc("a":-1:2)
// -----
%0 = "t_.x"()

"t_.y"() : () -> ()
// -----
{-#
  dialect_resources: {
    builtin: { key: 10 }
  }
#-}
// -----
{-#
  other: {}
#-}
// -----
{-#
  dialect_resources: {
    builtin: { key: "0x0102" }
  }
// -----
func.func @f(%a: index) -> index {
  %0 = arith.addi %a, %a : index -> index
  return %0 : index
}
// -----
func.func @f(%a: index) -> index {
return %a : index
}
func.func @g(%a: ind ex) -> index {
%0 = arith.addi %a, %a : index
return %0 : index
}
// -----
func.func private @f(memref<2x!llvm.ptr>)
// -----
func.func private @f(memref<?x!gpu.async.token>)
