// How far points are from a model of a hand: hand tracking in ADBench. A pose is the turn and the shift of the whole and four
// angles of each finger: two of its first joint, one each of the next two. Of 22 bones the first two are the arm and the palm, and the others four
// for each finger in turn. A bone has a place in its parent (%relative) and the inverse of that at rest (%inverse), 3x4 matrices; a vertex of the
// model (%base) goes with all bones by its %weights. A point belongs to a vertex, or to a place in a triangle by two coordinates (%uv).
//
// What a finger has to do with an error is a sum of its own, @share, so that one direction serves all fingers: errors are sums of these and
// of what does not depend on fingers.
func.func private @times(%x: memref<22x3x4xf64>, %i: index, %y: memref<22x3x4xf64>, %j: index, %z: memref<22x3x4xf64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  scf.for %r = %c0 to %c3 step %c1 {
    scf.for %c = %c0 to %c4 step %c1 {
      %sum = scf.for %l = %c0 to %c3 step %c1 iter_args(%s = %zero) -> f64 {
        %0 = memref.load %x[%i, %r, %l] : memref<22x3x4xf64>
        %1 = memref.load %y[%j, %l, %c] : memref<22x3x4xf64>
        %2 = arith.mulf %0, %1 fastmath<fast> : f64
        %3 = arith.addf %s, %2 fastmath<fast> : f64
        scf.yield %3 : f64
      }
      memref.store %sum, %z[%k, %r, %c] : memref<22x3x4xf64>
    }
    %4 = memref.load %z[%k, %r, %c3] : memref<22x3x4xf64>
    %5 = memref.load %x[%i, %r, %c3] : memref<22x3x4xf64>
    %6 = arith.addf %4, %5 fastmath<fast> : f64
    memref.store %6, %z[%k, %r, %c3] : memref<22x3x4xf64>
  }
  return
}

// The place of a bone in its parent, turned by %a about its first axis and by %b about its second one.
func.func private @joint(%relative: memref<22x3x4xf64>, %k: index, %a: f64, %b: f64, %to: memref<22x3x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ca = math.cos %a fastmath<fast> : f64
  %sa = math.sin %a fastmath<fast> : f64
  %cb = math.cos %b fastmath<fast> : f64
  %sb = math.sin %b fastmath<fast> : f64
  scf.for %r = %c0 to %c3 step %c1 {
    %0 = memref.load %relative[%k, %r, %c0] : memref<22x3x4xf64>
    %1 = memref.load %relative[%k, %r, %c1] : memref<22x3x4xf64>
    %2 = memref.load %relative[%k, %r, %c2] : memref<22x3x4xf64>
    %3 = memref.load %relative[%k, %r, %c3] : memref<22x3x4xf64>
    %4 = arith.mulf %1, %sa fastmath<fast> : f64
    %5 = arith.mulf %2, %ca fastmath<fast> : f64
    %6 = arith.subf %4, %5 fastmath<fast> : f64
    %7 = arith.mulf %0, %cb fastmath<fast> : f64
    %8 = arith.mulf %6, %sb fastmath<fast> : f64
    %9 = arith.addf %7, %8 fastmath<fast> : f64
    memref.store %9, %to[%k, %r, %c0] : memref<22x3x4xf64>
    %10 = arith.mulf %1, %ca fastmath<fast> : f64
    %11 = arith.mulf %2, %sa fastmath<fast> : f64
    %12 = arith.addf %10, %11 fastmath<fast> : f64
    memref.store %12, %to[%k, %r, %c1] : memref<22x3x4xf64>
    %13 = arith.mulf %0, %sb fastmath<fast> : f64
    %14 = arith.mulf %6, %cb fastmath<fast> : f64
    %15 = arith.subf %13, %14 fastmath<fast> : f64
    memref.store %15, %to[%k, %r, %c2] : memref<22x3x4xf64>
    memref.store %3, %to[%k, %r, %c3] : memref<22x3x4xf64>
  }
  return
}

// The turn about the axis of a vector that is not 0, by its length.
func.func private @rotation(%turn: memref<3xf64>, %to: memref<22x3x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %x = memref.load %turn[%c0] : memref<3xf64>
  %y = memref.load %turn[%c1] : memref<3xf64>
  %z = memref.load %turn[%c2] : memref<3xf64>
  %xx = arith.mulf %x, %x fastmath<fast> : f64
  %yy = arith.mulf %y, %y fastmath<fast> : f64
  %zz = arith.mulf %z, %z fastmath<fast> : f64
  %0 = arith.addf %xx, %yy fastmath<fast> : f64
  %square = arith.addf %0, %zz fastmath<fast> : f64
  %angle = math.sqrt %square fastmath<fast> : f64
  %c = math.cos %angle fastmath<fast> : f64
  %s = math.sin %angle fastmath<fast> : f64
  %sn = arith.divf %s, %angle fastmath<fast> : f64
  %1 = arith.subf %one, %c fastmath<fast> : f64
  %v = arith.divf %1, %square fastmath<fast> : f64
  %vx = arith.mulf %v, %x fastmath<fast> : f64
  %vy = arith.mulf %v, %y fastmath<fast> : f64
  %vz = arith.mulf %v, %z fastmath<fast> : f64
  %sx = arith.mulf %sn, %x fastmath<fast> : f64
  %sy = arith.mulf %sn, %y fastmath<fast> : f64
  %sz = arith.mulf %sn, %z fastmath<fast> : f64
  %vxy = arith.mulf %vx, %y fastmath<fast> : f64
  %vxz = arith.mulf %vx, %z fastmath<fast> : f64
  %vyz = arith.mulf %vy, %z fastmath<fast> : f64
  %vxx = arith.mulf %vx, %x fastmath<fast> : f64
  %vyy = arith.mulf %vy, %y fastmath<fast> : f64
  %vzz = arith.mulf %vz, %z fastmath<fast> : f64
  %r00 = arith.addf %c, %vxx fastmath<fast> : f64
  %r01 = arith.subf %vxy, %sz fastmath<fast> : f64
  %r02 = arith.addf %vxz, %sy fastmath<fast> : f64
  %r10 = arith.addf %vxy, %sz fastmath<fast> : f64
  %r11 = arith.addf %c, %vyy fastmath<fast> : f64
  %r12 = arith.subf %vyz, %sx fastmath<fast> : f64
  %r20 = arith.subf %vxz, %sy fastmath<fast> : f64
  %r21 = arith.addf %vyz, %sx fastmath<fast> : f64
  %r22 = arith.addf %c, %vzz fastmath<fast> : f64
  memref.store %r00, %to[%c0, %c0, %c0] : memref<22x3x4xf64>
  memref.store %r01, %to[%c0, %c0, %c1] : memref<22x3x4xf64>
  memref.store %r02, %to[%c0, %c0, %c2] : memref<22x3x4xf64>
  memref.store %r10, %to[%c0, %c1, %c0] : memref<22x3x4xf64>
  memref.store %r11, %to[%c0, %c1, %c1] : memref<22x3x4xf64>
  memref.store %r12, %to[%c0, %c1, %c2] : memref<22x3x4xf64>
  memref.store %r20, %to[%c0, %c2, %c0] : memref<22x3x4xf64>
  memref.store %r21, %to[%c0, %c2, %c1] : memref<22x3x4xf64>
  memref.store %r22, %to[%c0, %c2, %c2] : memref<22x3x4xf64>
  scf.for %r = %c0 to %c3 step %c1 {
    memref.store %zero, %to[%c0, %r, %c3] : memref<22x3x4xf64>
  }
  return
}

// How each bone of the fingers moves the model from where it rests, %from first.
func.func private @bones(%fingers: memref<5x4xf64>, %relative: memref<22x3x4xf64>, %inverse: memref<22x3x4xf64>, %moves: memref<22x3x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %here = memref.alloc() {memref.owned} : memref<22x3x4xf64>
  %place = memref.alloc() {memref.owned} : memref<22x3x4xf64>
  func.call @joint(%relative, %c0, %zero, %zero, %place) : (memref<22x3x4xf64>, index, f64, f64, memref<22x3x4xf64>) -> ()
  func.call @times(%place, %c0, %inverse, %c0, %moves, %c0) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
  func.call @times(%place, %c0, %relative, %c1, %here, %c1) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
  func.call @times(%here, %c1, %inverse, %c1, %moves, %c1) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
  scf.for %f = %c0 to %c5 step %c1 {
    %0 = arith.muli %f, %c4 : index
    %k0 = arith.addi %0, %c2 : index
    %k1 = arith.addi %0, %c3 : index
    %k2 = arith.addi %0, %c4 : index
    %k3 = arith.addi %0, %c5 : index
    %a0 = memref.load %fingers[%f, %c0] : memref<5x4xf64>
    %b0 = memref.load %fingers[%f, %c1] : memref<5x4xf64>
    %a1 = memref.load %fingers[%f, %c2] : memref<5x4xf64>
    %a2 = memref.load %fingers[%f, %c3] : memref<5x4xf64>
    func.call @joint(%relative, %k0, %a0, %b0, %place) : (memref<22x3x4xf64>, index, f64, f64, memref<22x3x4xf64>) -> ()
    func.call @joint(%relative, %k1, %a1, %zero, %place) : (memref<22x3x4xf64>, index, f64, f64, memref<22x3x4xf64>) -> ()
    func.call @joint(%relative, %k2, %a2, %zero, %place) : (memref<22x3x4xf64>, index, f64, f64, memref<22x3x4xf64>) -> ()
    func.call @times(%here, %c1, %place, %k0, %here, %k0) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
    func.call @times(%here, %k0, %place, %k1, %here, %k1) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
    func.call @times(%here, %k1, %place, %k2, %here, %k2) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
    func.call @times(%here, %k2, %relative, %k3, %here, %k3) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
    func.call @times(%here, %k0, %inverse, %k0, %moves, %k0) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
    func.call @times(%here, %k1, %inverse, %k1, %moves, %k1) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
    func.call @times(%here, %k2, %inverse, %k2, %moves, %k2) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
    func.call @times(%here, %k3, %inverse, %k3, %moves, %k3) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
  }
  return
}

// Where %count bones from %first on bring the vertices: weighted sums.
func.func private @skin(%moves: memref<22x3x4xf64>, %base: memref<3x?xf64>, %weights: memref<22x?xf64>, %first: index, %count: index, %f: index, %to: memref<5x3x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %base, %c1 : memref<3x?xf64>
  scf.for %r = %c0 to %c3 step %c1 {
    scf.for %v = %c0 to %n step %c1 {
      %x = memref.load %base[%c0, %v] : memref<3x?xf64>
      %y = memref.load %base[%c1, %v] : memref<3x?xf64>
      %z = memref.load %base[%c2, %v] : memref<3x?xf64>
      %sum = scf.for %i = %c0 to %count step %c1 iter_args(%s = %zero) -> f64 {
        %k = arith.addi %first, %i : index
        %0 = memref.load %moves[%k, %r, %c0] : memref<22x3x4xf64>
        %1 = memref.load %moves[%k, %r, %c1] : memref<22x3x4xf64>
        %2 = memref.load %moves[%k, %r, %c2] : memref<22x3x4xf64>
        %3 = memref.load %moves[%k, %r, %c3] : memref<22x3x4xf64>
        %4 = arith.mulf %0, %x fastmath<fast> : f64
        %5 = arith.mulf %1, %y fastmath<fast> : f64
        %6 = arith.mulf %2, %z fastmath<fast> : f64
        %7 = arith.addf %4, %5 fastmath<fast> : f64
        %8 = arith.addf %6, %3 fastmath<fast> : f64
        %9 = arith.addf %7, %8 fastmath<fast> : f64
        %w = memref.load %weights[%k, %v] : memref<22x?xf64>
        %10 = arith.mulf %w, %9 fastmath<fast> : f64
        %11 = arith.addf %s, %10 fastmath<fast> : f64
        scf.yield %11 : f64
      }
      memref.store %sum, %to[%f, %r, %v] : memref<5x3x?xf64>
    }
  }
  return
}

// What each finger adds to the errors.
func.func @share(%fingers: memref<5x4xf64> {llvm.noalias}, %turn: memref<3xf64> {llvm.noalias}, %relative: memref<22x3x4xf64> {llvm.noalias}, %inverse: memref<22x3x4xf64> {llvm.noalias},
    %base: memref<3x?xf64> {llvm.noalias}, %weights: memref<22x?xf64> {llvm.noalias}, %at: memref<1x?xi32> {llvm.noalias}, %share: memref<5x3x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %v = memref.dim %base, %c1 : memref<3x?xf64>
  %n = memref.dim %at, %c1 : memref<1x?xi32>
  %posed = memref.alloc(%v) {memref.owned} : memref<5x3x?xf64>
  func.call @placed(%fingers, %turn, %relative, %inverse, %base, %weights, %posed) : (memref<5x4xf64>, memref<3xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<5x3x?xf64>) -> ()
  scf.for %f = %c0 to %c5 step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %0 = memref.load %at[%c0, %i] : memref<1x?xi32>
      %k = arith.index_cast %0 : i32 to index
      scf.for %r = %c0 to %c3 step %c1 {
        %1 = memref.load %posed[%f, %r, %k] : memref<5x3x?xf64>
        %2 = arith.negf %1 fastmath<fast> : f64
        memref.store %2, %share[%f, %r, %i] : memref<5x3x?xf64>
      }
    }
  }
  return
}

// Where the fingers bring the vertices, in the frame of the points.
func.func private @placed(%fingers: memref<5x4xf64>, %turn: memref<3xf64>, %relative: memref<22x3x4xf64>, %inverse: memref<22x3x4xf64>, %base: memref<3x?xf64>, %weights: memref<22x?xf64>, %posed: memref<5x3x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c22 = arith.constant 22 : index
  %zero = arith.constant 0.0 : f64
  %moves = memref.alloc() {memref.owned} : memref<22x3x4xf64>
  %turned = memref.alloc() {memref.owned} : memref<22x3x4xf64>
  %rotation = memref.alloc() {memref.owned} : memref<22x3x4xf64>
  func.call @rotation(%turn, %rotation) : (memref<3xf64>, memref<22x3x4xf64>) -> ()
  func.call @bones(%fingers, %relative, %inverse, %moves) : (memref<5x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>) -> ()
  scf.for %k = %c2 to %c22 step %c1 {
    func.call @times(%rotation, %c0, %moves, %k, %turned, %k) : (memref<22x3x4xf64>, index, memref<22x3x4xf64>, index, memref<22x3x4xf64>, index) -> ()
  }
  scf.for %f = %c0 to %c5 step %c1 {
    %0 = arith.muli %f, %c4 : index
    %first = arith.addi %0, %c2 : index
    func.call @skin(%turned, %base, %weights, %first, %c4, %f, %posed) : (memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, index, index, index, memref<5x3x?xf64>) -> ()
  }
  return
}

// The errors at vertices.
func.func private @errors(%turn: memref<3xf64>, %shift: memref<3xf64>, %fingers: memref<5x4xf64>, %relative: memref<22x3x4xf64>, %inverse: memref<22x3x4xf64>,
    %base: memref<3x?xf64>, %weights: memref<22x?xf64>, %at: memref<1x?xi32>, %points: memref<3x?xf64>, %error: memref<3x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %v = memref.dim %base, %c1 : memref<3x?xf64>
  %n = memref.dim %at, %c1 : memref<1x?xi32>
  %posed = memref.alloc(%v) {memref.owned} : memref<3x?xf64>
  func.call @whole(%fingers, %turn, %relative, %inverse, %base, %weights, %posed) : (memref<5x4xf64>, memref<3xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<3x?xf64>) -> ()
  scf.for %r = %c0 to %c3 step %c1 {
    %t = memref.load %shift[%r] : memref<3xf64>
    scf.for %i = %c0 to %n step %c1 {
      %0 = memref.load %at[%c0, %i] : memref<1x?xi32>
      %k = arith.index_cast %0 : i32 to index
      %1 = memref.load %posed[%r, %k] : memref<3x?xf64>
      %2 = memref.load %points[%r, %i] : memref<3x?xf64>
      %3 = arith.subf %2, %1 fastmath<fast> : f64
      %4 = arith.subf %3, %t fastmath<fast> : f64
      memref.store %4, %error[%r, %i] : memref<3x?xf64>
    }
  }
  return
}

// The same, for each kind of argument that they are derived by.
func.func @by_turn(%turn: memref<3xf64> {llvm.noalias}, %shift: memref<3xf64> {llvm.noalias}, %fingers: memref<5x4xf64> {llvm.noalias}, %relative: memref<22x3x4xf64> {llvm.noalias}, %inverse: memref<22x3x4xf64> {llvm.noalias}, %base: memref<3x?xf64> {llvm.noalias}, %weights: memref<22x?xf64> {llvm.noalias}, %at: memref<1x?xi32> {llvm.noalias}, %points: memref<3x?xf64> {llvm.noalias}, %error: memref<3x?xf64> {llvm.noalias}) {
  func.call @errors(%turn, %shift, %fingers, %relative, %inverse, %base, %weights, %at, %points, %error) : (memref<3xf64>, memref<3xf64>, memref<5x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<1x?xi32>, memref<3x?xf64>, memref<3x?xf64>) -> ()
  return
}

func.func @by_shift(%turn: memref<3xf64> {llvm.noalias}, %shift: memref<3xf64> {llvm.noalias}, %fingers: memref<5x4xf64> {llvm.noalias}, %relative: memref<22x3x4xf64> {llvm.noalias}, %inverse: memref<22x3x4xf64> {llvm.noalias}, %base: memref<3x?xf64> {llvm.noalias}, %weights: memref<22x?xf64> {llvm.noalias}, %at: memref<1x?xi32> {llvm.noalias}, %points: memref<3x?xf64> {llvm.noalias}, %error: memref<3x?xf64> {llvm.noalias}) {
  func.call @errors(%turn, %shift, %fingers, %relative, %inverse, %base, %weights, %at, %points, %error) : (memref<3xf64>, memref<3xf64>, memref<5x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<1x?xi32>, memref<3x?xf64>, memref<3x?xf64>) -> ()
  return
}

// Where all bones bring the vertices, and then the turn and the shift of the whole.
func.func private @whole(%fingers: memref<5x4xf64>, %turn: memref<3xf64>, %relative: memref<22x3x4xf64>, %inverse: memref<22x3x4xf64>, %base: memref<3x?xf64>, %weights: memref<22x?xf64>, %posed: memref<3x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c22 = arith.constant 22 : index
  %v = memref.dim %base, %c1 : memref<3x?xf64>
  %moves = memref.alloc() {memref.owned} : memref<22x3x4xf64>
  %rotation = memref.alloc() {memref.owned} : memref<22x3x4xf64>
  %all = memref.alloc(%v) {memref.owned} : memref<5x3x?xf64>
  func.call @bones(%fingers, %relative, %inverse, %moves) : (memref<5x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>) -> ()
  func.call @skin(%moves, %base, %weights, %c0, %c22, %c0, %all) : (memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, index, index, index, memref<5x3x?xf64>) -> ()
  func.call @rotation(%turn, %rotation) : (memref<3xf64>, memref<22x3x4xf64>) -> ()
  scf.for %i = %c0 to %v step %c1 {
    %x = memref.load %all[%c0, %c0, %i] : memref<5x3x?xf64>
    %y = memref.load %all[%c0, %c1, %i] : memref<5x3x?xf64>
    %z = memref.load %all[%c0, %c2, %i] : memref<5x3x?xf64>
    scf.for %r = %c0 to %c3 step %c1 {
      %0 = memref.load %rotation[%c0, %r, %c0] : memref<22x3x4xf64>
      %1 = memref.load %rotation[%c0, %r, %c1] : memref<22x3x4xf64>
      %2 = memref.load %rotation[%c0, %r, %c2] : memref<22x3x4xf64>
      %4 = arith.mulf %0, %x fastmath<fast> : f64
      %5 = arith.mulf %1, %y fastmath<fast> : f64
      %6 = arith.mulf %2, %z fastmath<fast> : f64
      %7 = arith.addf %4, %5 fastmath<fast> : f64
      %9 = arith.addf %6, %7 fastmath<fast> : f64
      memref.store %9, %posed[%r, %i] : memref<3x?xf64>
    }
  }
  return
}

// The same at places of triangles.
func.func @share_uv(%fingers: memref<5x4xf64> {llvm.noalias}, %turn: memref<3xf64> {llvm.noalias}, %relative: memref<22x3x4xf64> {llvm.noalias}, %inverse: memref<22x3x4xf64> {llvm.noalias},
    %base: memref<3x?xf64> {llvm.noalias}, %weights: memref<22x?xf64> {llvm.noalias}, %corners: memref<3x?xi32> {llvm.noalias}, %uv: memref<2x?xf64> {llvm.noalias}, %share: memref<5x3x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f64
  %v = memref.dim %base, %c1 : memref<3x?xf64>
  %n = memref.dim %corners, %c1 : memref<3x?xi32>
  %posed = memref.alloc(%v) {memref.owned} : memref<5x3x?xf64>
  func.call @placed(%fingers, %turn, %relative, %inverse, %base, %weights, %posed) : (memref<5x4xf64>, memref<3xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<5x3x?xf64>) -> ()
  scf.for %f = %c0 to %c5 step %c1 {
    scf.for %r = %c0 to %c3 step %c1 {
      scf.for %i = %c0 to %n step %c1 {
        %i0 = memref.load %corners[%c0, %i] : memref<3x?xi32>
        %i1 = memref.load %corners[%c1, %i] : memref<3x?xi32>
        %i2 = memref.load %corners[%c2, %i] : memref<3x?xi32>
        %k0 = arith.index_cast %i0 : i32 to index
        %k1 = arith.index_cast %i1 : i32 to index
        %k2 = arith.index_cast %i2 : i32 to index
        %p0 = memref.load %posed[%f, %r, %k0] : memref<5x3x?xf64>
        %p1 = memref.load %posed[%f, %r, %k1] : memref<5x3x?xf64>
        %p2 = memref.load %posed[%f, %r, %k2] : memref<5x3x?xf64>
        %a = memref.load %uv[%c0, %i] : memref<2x?xf64>
        %b = memref.load %uv[%c1, %i] : memref<2x?xf64>
        %0 = arith.subf %p2, %p0 fastmath<fast> : f64
        %1 = arith.subf %p2, %p1 fastmath<fast> : f64
        %2 = arith.mulf %a, %0 fastmath<fast> : f64
        %3 = arith.mulf %b, %1 fastmath<fast> : f64
        %4 = arith.addf %2, %3 fastmath<fast> : f64
        %5 = arith.subf %4, %p2 fastmath<fast> : f64
        memref.store %5, %share[%f, %r, %i] : memref<5x3x?xf64>
      }
    }
  }
  return
}

func.func private @errors_uv(%turn: memref<3xf64>, %shift: memref<3xf64>, %uv: memref<2x?xf64>, %fingers: memref<5x4xf64>, %relative: memref<22x3x4xf64>, %inverse: memref<22x3x4xf64>,
    %base: memref<3x?xf64>, %weights: memref<22x?xf64>, %corners: memref<3x?xi32>, %points: memref<3x?xf64>, %error: memref<3x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = memref.dim %base, %c1 : memref<3x?xf64>
  %n = memref.dim %corners, %c1 : memref<3x?xi32>
  %posed = memref.alloc(%v) {memref.owned} : memref<3x?xf64>
  func.call @whole(%fingers, %turn, %relative, %inverse, %base, %weights, %posed) : (memref<5x4xf64>, memref<3xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<3x?xf64>) -> ()
  scf.for %r = %c0 to %c3 step %c1 {
    %t = memref.load %shift[%r] : memref<3xf64>
    scf.for %i = %c0 to %n step %c1 {
      %i0 = memref.load %corners[%c0, %i] : memref<3x?xi32>
      %i1 = memref.load %corners[%c1, %i] : memref<3x?xi32>
      %i2 = memref.load %corners[%c2, %i] : memref<3x?xi32>
      %k0 = arith.index_cast %i0 : i32 to index
      %k1 = arith.index_cast %i1 : i32 to index
      %k2 = arith.index_cast %i2 : i32 to index
      %p0 = memref.load %posed[%r, %k0] : memref<3x?xf64>
      %p1 = memref.load %posed[%r, %k1] : memref<3x?xf64>
      %p2 = memref.load %posed[%r, %k2] : memref<3x?xf64>
      %a = memref.load %uv[%c0, %i] : memref<2x?xf64>
      %b = memref.load %uv[%c1, %i] : memref<2x?xf64>
      %q = memref.load %points[%r, %i] : memref<3x?xf64>
      %0 = arith.subf %p2, %p0 fastmath<fast> : f64
      %1 = arith.subf %p2, %p1 fastmath<fast> : f64
      %2 = arith.mulf %a, %0 fastmath<fast> : f64
      %3 = arith.mulf %b, %1 fastmath<fast> : f64
      %4 = arith.addf %2, %3 fastmath<fast> : f64
      %5 = arith.subf %q, %p2 fastmath<fast> : f64
      %6 = arith.addf %4, %5 fastmath<fast> : f64
      %7 = arith.subf %6, %t fastmath<fast> : f64
      memref.store %7, %error[%r, %i] : memref<3x?xf64>
    }
  }
  return
}

func.func @by_turn_uv(%turn: memref<3xf64> {llvm.noalias}, %shift: memref<3xf64> {llvm.noalias}, %uv: memref<2x?xf64> {llvm.noalias}, %fingers: memref<5x4xf64> {llvm.noalias}, %relative: memref<22x3x4xf64> {llvm.noalias}, %inverse: memref<22x3x4xf64> {llvm.noalias}, %base: memref<3x?xf64> {llvm.noalias}, %weights: memref<22x?xf64> {llvm.noalias}, %corners: memref<3x?xi32> {llvm.noalias}, %points: memref<3x?xf64> {llvm.noalias}, %error: memref<3x?xf64> {llvm.noalias}) {
  func.call @errors_uv(%turn, %shift, %uv, %fingers, %relative, %inverse, %base, %weights, %corners, %points, %error) : (memref<3xf64>, memref<3xf64>, memref<2x?xf64>, memref<5x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<3x?xi32>, memref<3x?xf64>, memref<3x?xf64>) -> ()
  return
}

func.func @by_shift_uv(%turn: memref<3xf64> {llvm.noalias}, %shift: memref<3xf64> {llvm.noalias}, %uv: memref<2x?xf64> {llvm.noalias}, %fingers: memref<5x4xf64> {llvm.noalias}, %relative: memref<22x3x4xf64> {llvm.noalias}, %inverse: memref<22x3x4xf64> {llvm.noalias}, %base: memref<3x?xf64> {llvm.noalias}, %weights: memref<22x?xf64> {llvm.noalias}, %corners: memref<3x?xi32> {llvm.noalias}, %points: memref<3x?xf64> {llvm.noalias}, %error: memref<3x?xf64> {llvm.noalias}) {
  func.call @errors_uv(%turn, %shift, %uv, %fingers, %relative, %inverse, %base, %weights, %corners, %points, %error) : (memref<3xf64>, memref<3xf64>, memref<2x?xf64>, memref<5x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<3x?xi32>, memref<3x?xf64>, memref<3x?xf64>) -> ()
  return
}

func.func @by_uv(%turn: memref<3xf64> {llvm.noalias}, %shift: memref<3xf64> {llvm.noalias}, %uv: memref<2x?xf64> {llvm.noalias}, %fingers: memref<5x4xf64> {llvm.noalias}, %relative: memref<22x3x4xf64> {llvm.noalias}, %inverse: memref<22x3x4xf64> {llvm.noalias}, %base: memref<3x?xf64> {llvm.noalias}, %weights: memref<22x?xf64> {llvm.noalias}, %corners: memref<3x?xi32> {llvm.noalias}, %points: memref<3x?xf64> {llvm.noalias}, %error: memref<3x?xf64> {llvm.noalias}) {
  func.call @errors_uv(%turn, %shift, %uv, %fingers, %relative, %inverse, %base, %weights, %corners, %points, %error) : (memref<3xf64>, memref<3xf64>, memref<2x?xf64>, memref<5x4xf64>, memref<22x3x4xf64>, memref<22x3x4xf64>, memref<3x?xf64>, memref<22x?xf64>, memref<3x?xi32>, memref<3x?xf64>, memref<3x?xf64>) -> ()
  return
}
