func.func @made(%n: index, %x: f32) -> (tensor<?x4xf32>, tensor<2x3xf32>, tensor<?x3x?xf32>, tensor<2xf32>, tensor<f32>, tensor<?x3xf32>) {
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  %1 = tensor.splat %x : tensor<2x3xf32>
  %2 = tensor.splat %x[%n, %n] : tensor<?x3x?xf32>
  %3 = tensor.from_elements %x, %x : tensor<2xf32>
  %4 = tensor.from_elements %x : tensor<f32>
  %5 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %6 = arith.cmpi ult, %i, %j : index
    %7 = scf.if %6 -> (f32) {
      scf.yield %x : f32
    } else {
      %8 = arith.addf %x, %x : f32
      scf.yield %8 : f32
    }
    tensor.yield %7 : f32
  } : tensor<?x3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<?x4xf32>, tensor<2x3xf32>, tensor<?x3x?xf32>, tensor<2xf32>, tensor<f32>, tensor<?x3xf32>
}
func.func @parts(%t: tensor<?x4xf32>, %i: index, %x: f32) -> (f32, tensor<?x4xf32>, tensor<4xf32>, tensor<?x2xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %1 = tensor.insert %x into %t[%i, %i] : tensor<?x4xf32>
  %2 = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
  %3 = tensor.extract_slice %t[0, %i] [%i, 2] [1, %i] : tensor<?x4xf32> to tensor<?x2xf32>
  %4 = tensor.insert_slice %2 into %t[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<?x4xf32>
  %5 = tensor.insert_slice %3 into %t[0, 1] [%i, 2] [1, 1] : tensor<?x2xf32> into tensor<?x4xf32>
  return %0, %1, %2, %3, %4, %5 : f32, tensor<?x4xf32>, tensor<4xf32>, tensor<?x2xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}
func.func @padded(%t: tensor<?x4xf32>, %n: index, %x: f32) -> (tensor<?x6xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = tensor.pad %t low[%n, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  %1 = tensor.pad %t nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x4xf32>
  %2 = tensor.concat dim(0) %t, %1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1, %2 : tensor<?x6xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}
func.func @shapes(%t: tensor<6x4xf32>, %u: tensor<?x4xf32>, %s: tensor<2xi32>, %n: index) -> (tensor<24xf32>, tensor<2x3x4xf32>, tensor<?x3x4xf32>, tensor<?x?xf32>, tensor<3x4xf32>, index) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %1 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %2 = tensor.expand_shape %u [[0, 1], [2]] output_shape [%n, 3, 4] : tensor<?x4xf32> into tensor<?x3x4xf32>
  %3 = tensor.reshape %t(%s) : (tensor<6x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %4 = tensor.cast %u : tensor<?x4xf32> to tensor<3x4xf32>
  %c0 = arith.constant 0 : index
  %5 = tensor.dim %u, %c0 : tensor<?x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<24xf32>, tensor<2x3x4xf32>, tensor<?x3x4xf32>, tensor<?x?xf32>, tensor<3x4xf32>, index
}
