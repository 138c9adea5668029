package dialects_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// wrong lists ops that are wrong in one way each, with operands %i: i32, %j: i64,
// %f: f32, %d: f64, %x: index, %b: i1, %v: vector<4xi32>, and what the verifier
// says, which is what MLIR's says.
var wrong = []struct{ op, says string }{
	{`"arith.addi"(%f, %f) : (f32, f32) -> f32`, `operand #0 must be signless-integer-like, but got 'f32'`},
	{`"arith.addi"(%i, %j) : (i32, i64) -> i32`, `requires the same type for all operands and results`},
	{`"arith.addi"(%i, %i) : (i32, i32) -> i64`, `requires the same type for all operands and results`},
	{`"arith.addi"(%i) : (i32) -> i32`, `expected 2 operands, but found 1`},
	{`"arith.addi"(%i, %i) {overflowFlags = 3 : i32} : (i32, i32) -> i32`, `attribute 'overflowFlags' failed to satisfy constraint: Integer overflow arith flags`},
	{`"arith.cmpi"(%i, %j) {predicate = 3 : i64} : (i32, i64) -> i1`, `requires all operands to have the same type`},
	{`"arith.cmpi"(%i, %i) {predicate = 3 : i32} : (i32, i32) -> i1`, `attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9`},
	{`"arith.cmpi"(%i, %i) {predicate = 10 : i64} : (i32, i32) -> i1`, `attribute 'predicate' failed to satisfy constraint`},
	{`"arith.cmpi"(%i, %i) : (i32, i32) -> i1`, `requires attribute 'predicate'`},
	{`"arith.cmpi"(%i, %i) {predicate = 3 : i64} : (i32, i32) -> i32`, `result #0 must be bool-like, but got 'i32'`},
	{`"arith.select"(%i, %i, %i) : (i32, i32, i32) -> i32`, `operand #0 must be bool-like, but got 'i32'`},
	{`"arith.select"(%b, %b, %d) : (i1, i1, f64) -> i1`, `failed to verify that all of {true_value, false_value, result} have same type`},
	{`"arith.extsi"(%i) : (i32) -> i32`, `operand type 'i32' and result type 'i32' are cast incompatible`},
	{`"arith.trunci"(%i) : (i32) -> i64`, `operand type 'i32' and result type 'i64' are cast incompatible`},
	{`"arith.extf"(%i) : (i32) -> f64`, `operand #0 must be floating-point-like, but got 'i32'`},
	{`"arith.extf"(%f) : (f32) -> vector<4xf64>`, `requires the same shape for all operands and results`},
	{`"arith.sitofp"(%v) : (vector<4xi32>) -> vector<5xf64>`, `requires the same shape for all operands and results`},
	{`"arith.bitcast"(%d) : (f64) -> i32`, `operand type 'f64' and result type 'i32' are cast incompatible`},
	{`"arith.index_cast"(%x) : (index) -> index`, `operand type 'index' and result type 'index' are cast incompatible`},
	{`"arith.index_cast"(%x) : (index) -> f32`, `result #0 must be signless-integer-like or memref of signless-integer, but got 'f32'`},
	{`"arith.fptosi"(%f) : (f32) -> index`, `result #0 must be signless-fixed-width-integer-like, but got 'index'`},
	{`"arith.truncf"(%d) {roundingmode = 7 : i32} : (f64) -> f32`, `attribute 'roundingmode' failed to satisfy constraint`},
	{`"arith.addf"(%f, %f) {fastmath = 1 : i32} : (f32, f32) -> f32`, `attribute 'fastmath' failed to satisfy constraint`},
	{`"arith.constant"() : () -> f32`, `requires attribute 'value'`},
	{`"arith.constant"() {value = 1 : i32} : () -> f32`, `failed to verify that all of {value, result} have same type`},
	{`"arith.constant"() {value = 1 : si32} : () -> si32`, `integer return type must be signless`},
	{`"math.exp"(%i) : (i32) -> i32`, `operand #0 must be floating-point-like, but got 'i32'`},
	{`"math.exp"(%f) : (f32) -> f64`, `requires the same type for all operands and results`},
	{`"math.fpowi"(%f, %f) : (f32, f32) -> f32`, `operand #1 must be signless-integer-like, but got 'f32'`},
	{`"math.fpowi"(%f, %v) : (f32, vector<4xi32>) -> f32`, `requires the same shape for all operands and results`},
	{`"ub.poison"(%i) <{value = #ub.poison}> : (i32) -> i32`, `requires zero operands`},
	{`"ub.poison"() <{value = #ub.poison}> : () -> ()`, `requires one result`},
	{`"cf.assert"(%i) <{msg = "x"}> : (i32) -> ()`, `operand #0 must be 1-bit signless integer, but got 'i32'`},
	{`"cf.assert"(%b) : (i1) -> ()`, `requires attribute 'msg'`},
	{`"cf.assert"() <{msg = "x"}> : () -> ()`, `requires a single operand`},
	{`"func.call"(%i) : (i32) -> i32`, `requires attribute 'callee'`},
	{`"func.call_indirect"(%i, %i) : (i32, i32) -> i32`, `operand #0 must be function type, but got 'i32'`},
	{`"t.x"() ({ "func.return"() : () -> () }) : () -> ()`, `expects parent op 'func.func'`},
	{`"builtin.unrealized_conversion_cast"() : () -> ()`, `expected at least one result for cast operation`},
	{`"func.func"() <{function_type = () -> (), sym_visibility = "private"}> ({ }) : () -> ()`, `requires attribute 'sym_name'`},
	{`"func.func"() <{sym_name = "f", sym_visibility = "private"}> ({ }) : () -> ()`, `requires attribute 'function_type'`},
	{`"func.func"() <{sym_name = "f", sym_visibility = "private", function_type = i32}> ({ }) : () -> ()`, `attribute 'function_type' failed to satisfy constraint: type attribute of function type`},
	{`"func.func"() <{sym_name = "f", sym_visibility = "secret", function_type = () -> ()}> ({ }) : () -> ()`, `visibility expected to be one of ["public", "private", "nested"], but got "secret"`},
	{`"func.func"() <{sym_name = "f", function_type = () -> ()}> ({ }) : () -> ()`, `symbol declaration cannot have public visibility`},
	{`"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({ ^bb0(%y: i64): "func.return"() : () -> () }) : () -> ()`, `type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')`},
	{`"func.func"() <{sym_name = "f", function_type = () -> i32}> ({ "func.return"() : () -> () }) : () -> ()`, `has 0 operands, but enclosing function (@f) returns 1`},
	{`"func.func"() <{sym_name = "f", function_type = (i64) -> i32}> ({ ^bb0(%y: i64): "func.return"(%y) : (i64) -> () }) : () -> ()`, `type of return operand 0 ('i64') doesn't match function result type ('i32') in function @f`},
	{`"func.func"() <{sym_name = "f", sym_visibility = "private", arg_attrs = [{}], function_type = () -> ()}> ({ }) : () -> ()`, `expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 0`},
	{`"func.func"() <{sym_name = "f", sym_visibility = "private", arg_attrs = [{foo}], function_type = (i32) -> ()}> ({ }) : () -> ()`, `arguments may only have dialect attributes`},
	{`"builtin.module"() ({ }) : () -> ()`, `region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks`},
	{`"builtin.module"() ({ ^bb0(%y: i32): "t.x"() : () -> () }) : () -> ()`, `region should have no arguments`},
	{`"builtin.module"() ({ ^bb0: }) {foo} : () -> ()`, `can only contain attributes with dialect-prefixed names`},
}

func wrap(op string) string {
	results := ""
	if !strings.HasSuffix(op, "-> ()") {
		results = "%r = "
	}
	return "\"t.wrap\"() ({\n^bb0(%i: i32, %j: i64, %f: f32, %d: f64, %x: index, %b: i1, %v: vector<4xi32>):\n  " + results + op + "\n  \"t.end\"() : () -> ()\n}) : () -> ()\n"
}

func TestVerifier(t *testing.T) {
	for _, w := range wrong {
		src := wrap(w.op)
		_, errs := text.Parse(ir.NewContext(mine...), &diag.Source{Name: "x", Text: src}, text.Options{AllowUnregistered: true})
		if err := errs.Err(); err == nil {
			t.Errorf("accepted: %s", w.op)
		} else if !strings.Contains(err.Error(), w.says) && !strings.Contains(err.Error(), "op has result type") { // the parser's words
			t.Errorf("%s\n says %v\n want %s", w.op, err, w.says)
		}
	}
}

// MLIR refuses the same, with the same words.
func TestVerifierAgainstMLIR(t *testing.T) {
	tool, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("comparing with MLIR needs mlir-opt-19")
	}
	for _, w := range wrong {
		cmd := exec.Command(tool, "-allow-unregistered-dialect")
		cmd.Stdin = strings.NewReader(wrap(w.op))
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("mlir-opt accepts: %s", w.op)
		} else if !strings.Contains(string(out), w.says) {
			t.Errorf("%s\n mlir-opt says %s\n want %s", w.op, out, w.says)
		}
	}
}
