func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi64>
  %x = memref.load %m[%c0] : memref<4xi64>
  return %x : i64
}
