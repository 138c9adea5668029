// Forms that are rare: wide floats, odd widths, locations in attributes, data of
// resources, numbers that only a pattern can write.
#here = loc("a.mlir":3:4)
#inner = loc("name"(#here))
module {
  "u_.floats"() {z = #u_.z, a = 0.1 : f80, b = -2.5 : f128, c = dense<[0.0, 1.0]> : tensor<2xf80>, d = 1.0e999 : f128, e = [0x7FF0000000000000 : f64, 0x7FF8000000000000 : f64, 1.5]} : () -> ()
  "u_.widths"() {a = array<i0: 0, 0>, b = array<ui24: 16777215>, c = -1 : si1, d = 1 : ui1, e = dense<-1> : tensor<2xsi1>, f = -1 : si96} : () -> ()
  "u_.places"() {a = loc(fused<#inner>[#here, unknown]), b = loc(callsite("f" at #inner)), c = #inner} : () -> ()
  "u_.data"() {a = dense_resource<blob> : tensor<2xi8>, b = dense_resource<none_such> : tensor<1xi8>} : () -> ()
  "u_.sparse"() {a = sparse<[[0, 0], [1, 2]], [-1.000000e+00, 5.000000e-01]> : tensor<3x4xf32>, b = sparse<0, 1> : vector<2xi8>, c = sparse<> : tensor<1xi32>} : () -> ()
  "u_.names"() {"a b" = @"x y"::@z::@"1", c = distinct[0]<#here>, d = distinct[1]<>, e = distinct[0]<#here>} : () -> ()
  func.func @ends_in_an_unknown_op() {
    "u_.return"() : () -> ()
  }
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x010000000102"
    }
  }
#-}
