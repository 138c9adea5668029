// x1 := x1 + A y1 and x2 := x2 + A' y2, again and again
func.func @init(%A: memref<?x?xf64> {llvm.noalias}, %x1: memref<?xf64> {llvm.noalias}, %x2: memref<?xf64> {llvm.noalias}, %ya: memref<?xf64> {llvm.noalias}, %yb: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    // x1[i] = f64(i%n)/f64(n)
    %0 = arith.remsi %i, %n : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.sitofp %1 : i64 to f64
    %3 = arith.index_cast %n : index to i64
    %4 = arith.sitofp %3 : i64 to f64
    %5 = arith.divf %2, %4 fastmath<fast> : f64
    affine.store %5, %x1[%i] : memref<?xf64>
    // x2[i] = f64((i+1)%n)/f64(n)
    %6 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %7 = arith.remsi %6, %n : index
    %8 = arith.index_cast %7 : index to i64
    %9 = arith.sitofp %8 : i64 to f64
    %10 = arith.index_cast %n : index to i64
    %11 = arith.sitofp %10 : i64 to f64
    %12 = arith.divf %9, %11 fastmath<fast> : f64
    affine.store %12, %x2[%i] : memref<?xf64>
    // ya[i] = f64((i+3)%n)/f64(n)
    %13 = affine.apply affine_map<(d0) -> (d0 + 3)>(%i)
    %14 = arith.remsi %13, %n : index
    %15 = arith.index_cast %14 : index to i64
    %16 = arith.sitofp %15 : i64 to f64
    %17 = arith.index_cast %n : index to i64
    %18 = arith.sitofp %17 : i64 to f64
    %19 = arith.divf %16, %18 fastmath<fast> : f64
    affine.store %19, %ya[%i] : memref<?xf64>
    // yb[i] = f64((i+4)%n)/f64(n)
    %20 = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    %21 = arith.remsi %20, %n : index
    %22 = arith.index_cast %21 : index to i64
    %23 = arith.sitofp %22 : i64 to f64
    %24 = arith.index_cast %n : index to i64
    %25 = arith.sitofp %24 : i64 to f64
    %26 = arith.divf %23, %25 fastmath<fast> : f64
    affine.store %26, %yb[%i] : memref<?xf64>
    affine.for %j = 0 to %n {
      // A[i, j] = f64(i*j%n)/f64(n)
      %27 = arith.muli %i, %j : index
      %28 = arith.remsi %27, %n : index
      %29 = arith.index_cast %28 : index to i64
      %30 = arith.sitofp %29 : i64 to f64
      %31 = arith.index_cast %n : index to i64
      %32 = arith.sitofp %31 : i64 to f64
      %33 = arith.divf %30, %32 fastmath<fast> : f64
      affine.store %33, %A[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @mvt(%A: memref<?x?xf64> {llvm.noalias}, %x1: memref<?xf64> {llvm.noalias}, %x2: memref<?xf64> {llvm.noalias}, %ya: memref<?xf64> {llvm.noalias}, %yb: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      // x1[i] += A[i, j]*ya[j]
      %0 = affine.load %x1[%i] : memref<?xf64>
      %1 = affine.load %A[%i, %j] : memref<?x?xf64>
      %2 = affine.load %ya[%j] : memref<?xf64>
      %3 = arith.mulf %1, %2 fastmath<fast> : f64
      %4 = arith.addf %0, %3 fastmath<fast> : f64
      affine.store %4, %x1[%i] : memref<?xf64>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      // x2[i] += A[j, i]*yb[j]
      %5 = affine.load %x2[%i] : memref<?xf64>
      %6 = affine.load %A[%j, %i] : memref<?x?xf64>
      %7 = affine.load %yb[%j] : memref<?xf64>
      %8 = arith.mulf %6, %7 fastmath<fast> : f64
      %9 = arith.addf %5, %8 fastmath<fast> : f64
      affine.store %9, %x2[%i] : memref<?xf64>
    }
  }
  return
}
func.func @kernel(%A: memref<?x?xf64> {llvm.noalias}, %x1: memref<?xf64> {llvm.noalias}, %x2: memref<?xf64> {llvm.noalias}, %ya: memref<?xf64> {llvm.noalias}, %yb: memref<?xf64> {llvm.noalias}, %repetitions: index) {
  affine.for %r = 0 to %repetitions {
    func.call @mvt(%A, %x1, %x2, %ya, %yb) : (memref<?x?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  }
  return
}
func.func @check(%A: memref<?x?xf64> {llvm.noalias}, %x1: memref<?xf64> {llvm.noalias}, %x2: memref<?xf64> {llvm.noalias}, %ya: memref<?xf64> {llvm.noalias}, %yb: memref<?xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f64
  %n = memref.dim %A, %c0 : memref<?x?xf64>
  %r0 = affine.for %i = 0 to %n iter_args(%sum1 = %f0) -> f64 {
    // sum += x1[i]*f64(i%7)+x2[i]
    %0 = affine.load %x1[%i] : memref<?xf64>
    %1 = arith.remsi %i, %c7 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.sitofp %2 : i64 to f64
    %4 = arith.mulf %0, %3 fastmath<fast> : f64
    %5 = affine.load %x2[%i] : memref<?xf64>
    %6 = arith.addf %4, %5 fastmath<fast> : f64
    %7 = arith.addf %sum1, %6 fastmath<fast> : f64
    affine.yield %7 : f64
  }
  return %r0 : f64
}
func.func @main(%n: index, %repetitions: index) -> f64 {
  %A = memref.alloc(%n, %n) : memref<?x?xf64>
  %x1 = memref.alloc(%n) : memref<?xf64>
  %x2 = memref.alloc(%n) : memref<?xf64>
  %ya = memref.alloc(%n) : memref<?xf64>
  %yb = memref.alloc(%n) : memref<?xf64>
  call @init(%A, %x1, %x2, %ya, %yb) : (memref<?x?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  call @kernel(%A, %x1, %x2, %ya, %yb, %repetitions) : (memref<?x?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>, index) -> ()
  %total = call @check(%A, %x1, %x2, %ya, %yb) : (memref<?x?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> f64
  memref.dealloc %A : memref<?x?xf64>
  memref.dealloc %x1 : memref<?xf64>
  memref.dealloc %x2 : memref<?xf64>
  memref.dealloc %ya : memref<?xf64>
  memref.dealloc %yb : memref<?xf64>
  return %total : f64
}
