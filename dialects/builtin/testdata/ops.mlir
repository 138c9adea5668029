// Every op of builtin, in the custom form.
module @outer attributes {t.x = 1 : i32} {
  module { }
  builtin.module @inner attributes {t.y} {
    func.func private @f()
  }
  func.func @casts(%a: i32, %b: f64) {
    %0 = builtin.unrealized_conversion_cast %a : i32 to index
    %1:2 = builtin.unrealized_conversion_cast %a, %b : i32, f64 to i64, index
    %2 = builtin.unrealized_conversion_cast to f64
    %3 = builtin.unrealized_conversion_cast %0 : index to i32 {t.note}
    return
  }
}
