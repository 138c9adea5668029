// The sum of what a block of a transformer gives, weighted: 128 rows of 512 numbers, 8 heads of 64, 2048 inside.
func.func @loss(%x_: memref<128x512xf32> {llvm.noalias}, %g1_: memref<512xf32> {llvm.noalias}, %b1_: memref<512xf32> {llvm.noalias}, %wq_: memref<512x8x64xf32> {llvm.noalias}, %wk_: memref<512x8x64xf32> {llvm.noalias}, %wv_: memref<512x8x64xf32> {llvm.noalias}, %wo_: memref<8x64x512xf32> {llvm.noalias}, %g2_: memref<512xf32> {llvm.noalias}, %b2_: memref<512xf32> {llvm.noalias}, %w1_: memref<512x2048xf32> {llvm.noalias}, %c1_: memref<2048xf32> {llvm.noalias}, %w2_: memref<2048x512xf32> {llvm.noalias}, %c2_: memref<512xf32> {llvm.noalias}, %y0_: memref<128x512xf32> {llvm.noalias}) -> f32 {
  %x = ten.pack %x_ : memref<128x512xf32>
  %g1 = ten.pack %g1_ : memref<512xf32>
  %b1 = ten.pack %b1_ : memref<512xf32>
  %wq = ten.pack %wq_ : memref<512x8x64xf32>
  %wk = ten.pack %wk_ : memref<512x8x64xf32>
  %wv = ten.pack %wv_ : memref<512x8x64xf32>
  %wo = ten.pack %wo_ : memref<8x64x512xf32>
  %g2 = ten.pack %g2_ : memref<512xf32>
  %b2 = ten.pack %b2_ : memref<512xf32>
  %w1 = ten.pack %w1_ : memref<512x2048xf32>
  %c1 = ten.pack %c1_ : memref<2048xf32>
  %w2 = ten.pack %w2_ : memref<2048x512xf32>
  %c2 = ten.pack %c2_ : memref<512xf32>
  %y0 = ten.pack %y0_ : memref<128x512xf32>
  %n = ten.layer_norm %x scale %g1 bias %b1 epsilon 1.0e-5 : f64 : tensor<128x512xf32>, tensor<512xf32>, tensor<512xf32>
  %q = ten.einsum "ie,ehd->hid" %n, %wq : tensor<128x512xf32>, tensor<512x8x64xf32> -> tensor<8x128x64xf32>
  %k = ten.einsum "ie,ehd->hid" %n, %wk : tensor<128x512xf32>, tensor<512x8x64xf32> -> tensor<8x128x64xf32>
  %v = ten.einsum "ie,ehd->hid" %n, %wv : tensor<128x512xf32>, tensor<512x8x64xf32> -> tensor<8x128x64xf32>
  %s = ten.einsum "hid,hjd->hij" %q, %k : tensor<8x128x64xf32>, tensor<8x128x64xf32> -> tensor<8x128x128xf32>
  %scale = arith.constant dense<0.125> : tensor<8x128x128xf32>
  %t = arith.mulf %s, %scale : tensor<8x128x128xf32>
  %p = ten.softmax %t along 2 : tensor<8x128x128xf32>
  %o = ten.einsum "hij,hjd->hid" %p, %v : tensor<8x128x128xf32>, tensor<8x128x64xf32> -> tensor<8x128x64xf32>
  %a = ten.einsum "hid,hde->ie" %o, %wo : tensor<8x128x64xf32>, tensor<8x64x512xf32> -> tensor<128x512xf32>
  %y = arith.addf %a, %x : tensor<128x512xf32>
  %m = ten.layer_norm %y scale %g2 bias %b2 epsilon 1.0e-5 : f64 : tensor<128x512xf32>, tensor<512xf32>, tensor<512xf32>
  %h = ten.einsum "ie,ef->if" %m, %w1 : tensor<128x512xf32>, tensor<512x2048xf32> -> tensor<128x2048xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.70710678 : f32
  %g = ten.map (%u = %h : tensor<128x2048xf32>, %w = %c1 : tensor<2048xf32>) -> tensor<128x2048xf32> {
    %0 = arith.addf %u, %w fastmath<fast> : f32
    %1 = arith.mulf %0, %root fastmath<fast> : f32
    %2 = math.erf %1 : f32
    %3 = arith.addf %2, %one fastmath<fast> : f32
    %4 = arith.mulf %0, %half fastmath<fast> : f32
    %5 = arith.mulf %4, %3 fastmath<fast> : f32
    ten.yield %5 : f32
  }
  %f = ten.einsum "if,fe->ie" %g, %w2 : tensor<128x2048xf32>, tensor<2048x512xf32> -> tensor<128x512xf32>
  %z = ten.map (%u = %f : tensor<128x512xf32>, %w = %c2 : tensor<512xf32>, %r = %y : tensor<128x512xf32>) -> tensor<128x512xf32> {
    %0 = arith.addf %u, %w fastmath<fast> : f32
    %1 = arith.addf %0, %r fastmath<fast> : f32
    ten.yield %1 : f32
  }
  %last = arith.mulf %z, %y0 : tensor<128x512xf32>
  %sum = ten.einsum "ij->" %last : tensor<128x512xf32> -> tensor<f32>
  %l = ten.extract %sum[] : tensor<f32>
  return %l : f32
}
