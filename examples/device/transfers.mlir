// Products on the device among work of the host: place-transfers moves what has to, and no more. The programs are those of
// Figures 7 and 8 of Brahmakshatriya, Amarasinghe and Rinard, "Backwards Data-Flow Analysis using Prophecy Variables in the
// BuildIt System" (2026), with rows of the host in place of their einsum expressions.
//
//   irc run -check-transfers -passes=outline-kernels,place-transfers,mem2reg -entry=matmul -args=examples/device/transfers-args.json examples/device/transfers.mlir

// Six matrices, of which the device uses three: c += a * b.
func.func @matmul(%n: index, %c: memref<?x?xf32> {llvm.noalias}, %d: memref<?x?xf32> {llvm.noalias}, %e: memref<?x?xf32> {llvm.noalias}, %f: memref<?x?xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3.0 : f32
  %four = arith.constant 4.0 : f32
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %b = memref.alloc(%n, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %three, %a[%i, %j] : memref<?x?xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %four, %b[%i, %j] : memref<?x?xf32>
    }
  }
  memref.copy %a, %d : memref<?x?xf32> to memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    %old = memref.load %c[%i, %j] : memref<?x?xf32>
    %new = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %old) -> (f32) {
      %x = memref.load %a[%i, %k] : memref<?x?xf32>
      %y = memref.load %b[%k, %j] : memref<?x?xf32>
      %xy = arith.mulf %x, %y : f32
      %next = arith.addf %sum, %xy : f32
      scf.yield %next : f32
    }
    memref.store %new, %c[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  memref.copy %b, %e : memref<?x?xf32> to memref<?x?xf32>
  memref.copy %c, %f : memref<?x?xf32> to memref<?x?xf32>
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  return
}

// Two matrices and four vectors, of which the device uses one and two: y += a * x.
func.func @matvec(%n: index, %y: memref<?xf32> {llvm.noalias}, %b: memref<?x?xf32> {llvm.noalias}, %u: memref<?xf32> {llvm.noalias}, %v: memref<?xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %x = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %three, %a[%i, %j] : memref<?x?xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %two, %x[%i] : memref<?xf32>
  }
  memref.copy %a, %b : memref<?x?xf32> to memref<?x?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %old = memref.load %y[%i] : memref<?xf32>
    %new = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %old) -> (f32) {
      %p = memref.load %a[%i, %j] : memref<?x?xf32>
      %q = memref.load %x[%j] : memref<?xf32>
      %pq = arith.mulf %p, %q : f32
      %next = arith.addf %sum, %pq : f32
      scf.yield %next : f32
    }
    memref.store %new, %y[%i] : memref<?xf32>
    scf.reduce
  }
  memref.copy %y, %u : memref<?xf32> to memref<?xf32>
  memref.copy %x, %v : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %x : memref<?xf32>
  return
}

// The program that was timed: ten rounds, of which each takes new operands and hands the sum out. The device adds to what it
// has: z moves in once.
func.func @rounds(%n: index, %from: memref<?x?xf32> {llvm.noalias}, %by: memref<?x?xf32> {llvm.noalias}, %to: memref<?x?xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc(%n, %n) : memref<?x?xf32>
  %y = memref.alloc(%n, %n) : memref<?x?xf32>
  %z = memref.alloc(%n, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %zero, %z[%i, %j] : memref<?x?xf32>
    }
  }
  scf.for %round = %c0 to %c10 step %c1 {
    memref.copy %from, %x : memref<?x?xf32> to memref<?x?xf32>
    memref.copy %by, %y : memref<?x?xf32> to memref<?x?xf32>
    scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
      %old = memref.load %z[%i, %j] : memref<?x?xf32>
      %new = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %old) -> (f32) {
        %p = memref.load %x[%i, %k] : memref<?x?xf32>
        %q = memref.load %y[%k, %j] : memref<?x?xf32>
        %pq = arith.mulf %p, %q : f32
        %next = arith.addf %sum, %pq : f32
        scf.yield %next : f32
      }
      memref.store %new, %z[%i, %j] : memref<?x?xf32>
      scf.reduce
    }
    memref.copy %z, %to : memref<?x?xf32> to memref<?x?xf32>
  }
  memref.dealloc %x : memref<?x?xf32>
  memref.dealloc %y : memref<?x?xf32>
  memref.dealloc %z : memref<?x?xf32>
  return
}
