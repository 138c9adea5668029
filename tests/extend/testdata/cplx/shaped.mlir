func.func @arrays(%a: !toy.array<2, 3>, %b: !toy.array<2, 3>) -> !toy.array<3, 2> {
  %x = toy.constant dense<[[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %y = toy.add %a, %x : !toy.array<2, 3>
  %z = toy.mul %y, %b : !toy.array<2, 3>
  %t = toy.transpose %z : !toy.array<2, 3>
  %l = toy.reshape %z : (!toy.array<2, 3>) -> !toy.array<6>
  %r = toy.reshape %l : (!toy.array<6>) -> !toy.array<3, 2>
  %s = toy.add %t, %r : !toy.array<3, 2>
  toy.print %s : !toy.array<3, 2>
  return %s : !toy.array<3, 2>
}
func.func @twice(%a: !toy.array<2, 2>) -> (!toy.array<2, 2>, !toy.array<2, 2>) {
  %t = toy.transpose %a : !toy.array<2, 2>
  %u = toy.transpose %t : !toy.array<2, 2>
  %r = toy.reshape %t : (!toy.array<2, 2>) -> !toy.array<2, 2>
  %c = toy.cast %r : (!toy.array<2, 2>) -> !toy.array<2, 2>
  return %u, %c : !toy.array<2, 2>, !toy.array<2, 2>
}
