// run: -passes=canonicalize %s
// check: func.func @sum(%[[x:[a-z0-9]+]]: i32
// check-not: arith.constant
// check: %[[s:.*]] = arith.muli %[[x]], %[[x]] : i32
// check-next: return %[[s]]
func.func @sum(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %y = arith.addi %x, %zero : i32
  %s = arith.muli %y, %x : i32
  return %s : i32
}

// run: irc run -engine=eval -entry=sum -args=testdata/seven.json %s
// check: {"results": [49], "args": []}

// run-fails: run -engine=eval -entry=nosuch %s
// check: there is no function @nosuch
