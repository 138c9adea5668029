func.func private @freeze(%x: i32, %v: vector<4xf32>, %n: index) -> (i32, vector<4xf32>, index) {
  %0 = ub.freeze %x : i32
  %1 = ub.freeze %v : vector<4xf32>
  %2 = "ub.freeze"(%n) : (index) -> index
  return %0, %1, %2 : i32, vector<4xf32>, index
}
