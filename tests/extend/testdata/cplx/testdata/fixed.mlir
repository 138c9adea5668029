// run: irc run -engine=eval -entry=mean -args=testdata/mean.json fixed.mlir
// check: {"results": [[512]], "args": [[[512], [512], [512]]]}
// run: irc run -engine=auto -entry=mean -args=testdata/mean.json fixed.mlir
// check: {"results": [[512]], "args": [[[512], [512], [512]]]}

// run: -passes=lower{to=fx} %s
// check: scf.for
// check: memref.store %{{.*}} : memref<?x!fx.q<8, 8>>
// run: -passes=lower{to=scf} %s
// check: func.func @fill(%arg0: memref<?xi16>, %arg1: i16)
func.func @fill(%m: memref<?x!fx.q<8, 8>>, %x: !fx.q<8, 8>) {
  fx.fill %m, %x
  return
}
