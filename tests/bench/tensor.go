package main

// tensorShapes are M, N and K of products of an M by K and a K by N matrix: squares from 16 on, tall and skinny
// ones, odd primes; and small ones of known extents, which are no part of the mean.
var tensorShapes = []matmulShape{
	{16, 16, 16, "f64", false}, {32, 32, 32, "f64", false}, {64, 64, 64, "f64", false}, {128, 128, 128, "f64", false}, {256, 256, 256, "f64", false}, {512, 512, 512, "f64", false},
	{1024, 1024, 1024, "f64", false}, {4096, 64, 256, "f64", false}, {17, 19, 23, "f64", false}, {509, 521, 523, "f64", false},
	{16, 16, 16, "f32", false}, {32, 32, 32, "f32", false}, {64, 64, 64, "f32", false}, {128, 128, 128, "f32", false}, {256, 256, 256, "f32", false}, {1024, 1024, 1024, "f32", false},
	{2048, 2048, 2048, "f32", false}, {64, 4096, 256, "f32", false}, {31, 37, 41, "f32", false}, {1009, 1013, 1019, "f32", false},
	{4, 4, 4, "f64", true}, {8, 8, 8, "f64", true}, {16, 16, 16, "f64", true}, {17, 19, 23, "f64", true},
	{8, 8, 8, "f32", true}, {16, 16, 16, "f32", true}, {32, 32, 32, "f32", true}, {31, 37, 41, "f32", true},
}

// einsumProduct makes C the product of matrices of ELEM.
const einsumProduct = `
func.func @product(%C: memref<?x?xELEM> {llvm.noalias}, %A: memref<?x?xELEM> {llvm.noalias}, %B: memref<?x?xELEM> {llvm.noalias}) {
  %a = ten.pack %A : memref<?x?xELEM>
  %b = ten.pack %B : memref<?x?xELEM>
  %c = ten.einsum "ij,jk->ik" %a, %b : tensor<?x?xELEM>, tensor<?x?xELEM> -> tensor<?x?xELEM>
  ten.write %c to %C : tensor<?x?xELEM>, memref<?x?xELEM>
  return
}
`

// knownProduct is the same of extents that the program knows.
const knownProduct = `
func.func @product(%C: memref<?x?xELEM> {llvm.noalias}, %A: memref<?x?xELEM> {llvm.noalias}, %B: memref<?x?xELEM> {llvm.noalias}) {
  %0 = memref.cast %C : memref<?x?xELEM> to memref<_Mx_NxELEM>
  %1 = memref.cast %A : memref<?x?xELEM> to memref<_Mx_KxELEM>
  %2 = memref.cast %B : memref<?x?xELEM> to memref<_Kx_NxELEM>
  %a = ten.pack %1 : memref<_Mx_KxELEM>
  %b = ten.pack %2 : memref<_Kx_NxELEM>
  %c = ten.einsum "ij,jk->ik" %a, %b : tensor<_Mx_KxELEM>, tensor<_Kx_NxELEM> -> tensor<_Mx_NxELEM>
  ten.write %c to %0 : tensor<_Mx_NxELEM>, memref<_Mx_NxELEM>
  return
}
`

// tensor measures products as einsums, in the lowering pipeline that irc run takes.
func (b *bench) tensor() error {
	return b.products(product{"tensor", einsumProduct, "", knownProduct, "0", tensorShapes, nil})
}
