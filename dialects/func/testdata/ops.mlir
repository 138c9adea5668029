// Every op of func, in the custom form.
func.func private @declared(i32 {t.a = 1 : i32}, f64) -> (f64 {t.b}, index)
func.func private @nothing()
func.func nested @nested(%a: i32) { return }
func.func public @public(%a: i32) -> i32 attributes {t.x, t.y = "z"} {
  return %a : i32
}
func.func @args(%a: i32 {t.a}, %b: memref<?xf64> {llvm.noalias}) -> (i32 {t.c}, i32) {
  return %a, %a : i32, i32
}
func.func @result() -> ((i32) -> i32) {
  %f = func.constant @public : (i32) -> i32
  return %f : (i32) -> i32
}
func.func @"a name"(%a: i32, %m: memref<?xf64>) -> i32 {
  %f = constant @public : (i32) -> i32
  %0 = func.call_indirect %f(%a) : (i32) -> i32
  %1:2 = call @args(%0, %m) : (i32, memref<?xf64>) -> (i32, i32)
  call @nothing() : () -> ()
  %2 = func.call @public(%1#1) {t.note} : (i32) -> i32
  func.return {t.end} %2 : i32
}
func.func @empty() { return }
