// How often each word appears: a group a word, in the order of first appearance. The key is a
// string, bytes of any length.
//
// run: echo '[["to", "be", "or", "not", "to", "be"]]' | irc run examples/loop/wordcount.mlir -args=-
//  -> {"results": [["to", "be", "or", "not"], [2, 2, 1, 1]], "args": []}
// see: irc -emit=llvm examples/loop/wordcount.mlir
func.func @main(%words: !loop.array<!loop.string>) -> (!loop.array<!loop.string>, !loop.array<index>) {
  %one = arith.constant 1 : index
  %n = loop.len %words : !loop.array<!loop.string>
  %groups, %counts = loop.for %i < %n -> bucket(!loop.string, [reduce(add : index)]) {
    %w = loop.at %words[%i] : !loop.array<!loop.string>
    loop.yield %w, %one : !loop.string, index
  }
  %keys = loop.keys %groups : !loop.buckets<!loop.string>
  return %keys, %counts : !loop.array<!loop.string>, !loop.array<index>
}
