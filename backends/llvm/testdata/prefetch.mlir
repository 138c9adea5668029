// A prefetch is one of LLVM, and checks no bounds.
func.func @ahead(%m: memref<?x4xi64>, %i: index, %j: index) {
  memref.prefetch %m[%i, %j], write, locality<3>, data : memref<?x4xi64>
  memref.prefetch %m[%i, %j], read, locality<0>, data : memref<?x4xi64>
  return
}
