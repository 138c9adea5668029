func.func @v(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %c = arith.mulf %a, %b : vector<4xf32>
  %e = math.tan %c : vector<4xf32>
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.5]> : vector<4xf32>
  %m = arith.maxnumf %e, %k : vector<4xf32>
  return %m : vector<4xf32>
}
func.func @d(%a: vector<2x2xi16>, %b: vector<2x2xi16>) -> vector<2x2xi16> {
  %q = arith.floordivsi %a, %b : vector<2x2xi16>
  return %q : vector<2x2xi16>
}
