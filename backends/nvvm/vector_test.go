package nvvm

import (
	"strings"
	"testing"
)

// Accesses of vectors, with masks and without, compile for GPUs, where each lane is one of its own; so
// do sums and moves of lanes, of all types.
func TestVectors(t *testing.T) {
	needsLLVM(t)
	const kernel = `device.kernel @k(%m: memref<?x?xT>, %l: memref<?xT>, %i: index, %a: T, %n: memref<?xi32>) {
  %t = device.thread_id x
  %w = vector.load %l[%t] : memref<?xT>, vector<4xT>
  %at = vector.load %n[%t] : memref<?xi32>, vector<4xi32>
  %k = vector.create_mask %t : vector<4xi1>
  %0 = vector.transfer_read %m[%t, %i], %a : memref<?x?xT>, vector<4xT>
  %1 = vector.transfer_read %m[%i, %t], %a, %k {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xT>, vector<4xT>
  %2 = vector.gather %l[%i] [%at], %k, %w : memref<?xT>, vector<4xi32>, vector<4xi1>, vector<4xT> into vector<4xT>
  %3 = arith.select %k, %0, %1 : vector<4xi1>, vector<4xT>
  %4 = vector.maskedload %l[%i], %k, %3 : memref<?xT>, vector<4xi1>, vector<4xT> into vector<4xT>
  %5 = vector.expandload %l[%i], %k, %4 : memref<?xT>, vector<4xi1>, vector<4xT> into vector<4xT>
  %6 = vector.shuffle %5, %2 [0, 7, 2, 5] : vector<4xT>, vector<4xT>
  %7 = vector.outerproduct %6, %w : vector<4xT>, vector<4xT>
  %8 = vector.multi_reduction <add>, %7, %6 [0] : vector<4x4xT> to vector<4xT>
  %9 = vector.reduction <add>, %8 : vector<4xT> into T
  vector.maskedstore %l[%i], %k, %3 : memref<?xT>, vector<4xi1>, vector<4xT>
  vector.compressstore %l[%i], %k, %6 : memref<?xT>, vector<4xi1>, vector<4xT>
  vector.scatter %l[%i] [%at], %k, %3 : memref<?xT>, vector<4xi32>, vector<4xi1>, vector<4xT>
  vector.store %8, %l[%t] : memref<?xT>, vector<4xT>
  memref.store %9, %l[%t] : memref<?xT>
  device.return
}`
	for _, elem := range []string{"f32", "f64", "f16", "bf16", "i32", "i64", "i8", "i1", "index"} {
		src := strings.ReplaceAll(kernel, "xT", "x"+elem)
		src = strings.ReplaceAll(strings.ReplaceAll(src, "%a: T", "%a: "+elem), "into T", "into "+elem)
		p, err := compile(parse(t, "x", src), Options{})
		if err != nil {
			t.Errorf("%s: %v", elem, err)
			continue
		}
		assembles(t, p)
	}
}
