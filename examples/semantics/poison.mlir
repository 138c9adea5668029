// A loop that may not run asks for %late only if it runs, so poison there does no harm: this gives 7. What a
// promise (nsw) broken by a caller gives, ub.freeze makes some number of.
func.func @main() -> (i64, i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : i64
  %largest = arith.constant 9223372036854775807 : i64
  %poison = arith.addi %largest, %seven overflow<nsw> : i64
  %late = arith.cmpi slt, %poison, %seven : i64
  %sum = scf.for %i = %zero to %zero step %one iter_args(%s = %seven) -> (i64) {
    %next = scf.if %late -> (i64) {
      scf.yield %seven : i64
    } else {
      scf.yield %s : i64
    }
    scf.yield %next : i64
  }
  %some = ub.freeze %late : i1
  %same = arith.cmpi eq, %some, %some : i1
  return %sum, %same : i64, i1
}
