// A product of matrices, of which tensor-to-device makes a kernel by tiles in shared memory and in registers; the host moves
// what the kernel reads, and what it has computed.
//
// run: irc run -entry=main -args=examples/device/product-args.json examples/device/product.mlir
//  -> {"results": [[[4, 5], [10, 11]]], "args": []}
// see: irc -passes=tensor-to-device examples/device/product.mlir
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = ten.einsum "ik,kj->ij" %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
