module {
  func.func @f(%a: i32, %b: memref<4x?xf32, strided<[?, 1], offset: ?>>) -> (i32, f32) attributes {foo = 1, bar, baz = "x\0Ay\"é", q.q = [1, 2, 1 : i32, 1.0, 2.0 : f32, true, unit, @a::@b, i32, {a, b = 2}], d = dense<[1, 2]> : tensor<2xi32>, e = dense<1.0> : vector<4xf32>, s = dense<[[true, false]]> : tensor<1x2xi1>, st = dense<["a", "b"]> : tensor<2x!foo.x<  a  , b >>, cp = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, ar = array<i32: 1, 2>, arb = array<i1: true, false>, arf = array<f64: 1.0>, are = array<i8>, m = affine_map<(d0, d1)[s0] -> (d0 + s0 * 2 - 1, d1 mod 3 floordiv 2, -d0, 0 - d1)>, set = affine_set<(d0) : (d0 - 1 >= 0, d0 == 0)>, big = 0xFFFFFFFFFFFFFFFFFFFF : i128, neg = -5 : i8, u8 = 255 : ui8, s8 = -1 : si8, i8x = 255 : i8, h = 0x7FC00000 : f32, hd = 0x7FF0000000000000 : f64, fh = 0x3C00 : f16, f1 = 0.1 : f32, f2 = 0.1 : f64, f3 = 1.0e100 : f64, f4 = 123456789.0 : f64, f5 = 1.5 : bf16, f6 = 3.0e-320 : f64, z = 0.0 : f64, nz = -0.0 : f64, op = #foo.bar<a,   b  "x  y">, fm = #arith.fastmath<reassoc,nnan>, sp = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, dr = dense_resource<blob> : tensor<3xi64>, idx = 3 : index, tt = tuple<i32, f32>, ft = (i32) -> (), ft2 = (i32) -> (i32, i32), ft3 = () -> (() -> i32), vs = vector<[4]x2xf32>, te = tensor<2x?xf32, "enc">, tu = tensor<*xf32>, mu = memref<*xf32, 1>, ms = memref<2xf32, 3 : i32>, mm = memref<2xf32, affine_map<(d0) -> (d0)>>, none1 = none, f8 = f8E4M3FN, tf = tf32, cx = complex<f32>, "quoted name" = 1, bool8 = true, arr0 = [], di0 = {}, dd = dense<> : tensor<0xi32>, hexd = dense<"0x0100000002000000"> : tensor<2xi32>} {
    %c = arith.constant 5 : i32
    %cf = arith.constant 1.0 : f32
    %r:2 = "x.y"(%c) ({}, {^bb0:}, {^bb0(%z: i32):  "x.t"(%z) : (i32) -> ()}) {a = 1} : (i32) -> (i32, f32)
    %d = arith.addf %cf, %cf : f32
    %i = arith.addi %c, %a overflow<nsw, nuw> : i32
    return %r#0, %r#1 : i32, f32
  }
  func.func private @decl(i32 {x.a}) -> (f32 {x.b = 1})
}
