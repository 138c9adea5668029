package main

// tensorShapes are M, N and K of products of an M by K and a K by N matrix: squares from 16 on, tall and skinny
// ones, odd primes.
var tensorShapes = []matmulShape{
	{16, 16, 16, "f64"}, {32, 32, 32, "f64"}, {64, 64, 64, "f64"}, {128, 128, 128, "f64"}, {256, 256, 256, "f64"}, {512, 512, 512, "f64"},
	{1024, 1024, 1024, "f64"}, {4096, 64, 256, "f64"}, {17, 19, 23, "f64"}, {509, 521, 523, "f64"},
	{16, 16, 16, "f32"}, {32, 32, 32, "f32"}, {64, 64, 64, "f32"}, {128, 128, 128, "f32"}, {256, 256, 256, "f32"}, {1024, 1024, 1024, "f32"},
	{2048, 2048, 2048, "f32"}, {64, 4096, 256, "f32"}, {31, 37, 41, "f32"}, {1009, 1013, 1019, "f32"},
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

// tensor measures products as einsums, on the way down that irc run takes.
func (b *bench) tensor() error {
	return b.products(product{"tensor", einsumProduct, "", "0", tensorShapes, nil})
}
