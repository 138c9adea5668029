// The squared error of two layers with a rectifier in between.
func.func @loss(%x: memref<128x512xf32> {llvm.noalias}, %w1: memref<512x1024xf32> {llvm.noalias}, %b1: memref<1024xf32> {llvm.noalias}, %w2: memref<1024x256xf32> {llvm.noalias}, %b2: memref<256xf32> {llvm.noalias},
    %y: memref<128x256xf32> {llvm.noalias}) -> f32 {
  %xt = ten.pack %x : memref<128x512xf32>
  %w1t = ten.pack %w1 : memref<512x1024xf32>
  %b1t = ten.pack %b1 : memref<1024xf32>
  %w2t = ten.pack %w2 : memref<1024x256xf32>
  %b2t = ten.pack %b2 : memref<256xf32>
  %yt = ten.pack %y : memref<128x256xf32>
  %0 = ten.einsum "ij,jk->ik" %xt, %w1t : tensor<128x512xf32>, tensor<512x1024xf32> -> tensor<128x1024xf32>
  %1 = ten.map (%u = %0 : tensor<128x1024xf32>, %v = %b1t : tensor<1024xf32>) -> tensor<128x1024xf32> {
    %a = arith.addf %u, %v fastmath<fast> : f32
    ten.yield %a : f32
  }
  %h = ten.relu %1 above 0.0 : f64 : tensor<128x1024xf32>
  %2 = ten.einsum "ij,jk->ik" %h, %w2t : tensor<128x1024xf32>, tensor<1024x256xf32> -> tensor<128x256xf32>
  %3 = ten.map (%u = %2 : tensor<128x256xf32>, %v = %b2t : tensor<256xf32>, %w = %yt : tensor<128x256xf32>) -> tensor<128x256xf32> {
    %a = arith.addf %u, %v fastmath<fast> : f32
    %b = arith.subf %a, %w fastmath<fast> : f32
    %c = arith.mulf %b, %b fastmath<fast> : f32
    ten.yield %c : f32
  }
  %s = ten.einsum "ij->" %3 : tensor<128x256xf32> -> tensor<f32>
  %l = ten.extract %s[] : tensor<f32>
  return %l : f32
}
