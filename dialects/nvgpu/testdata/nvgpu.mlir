func.func @f(%a: memref<128x64xf16>, %s: memref<128x72xf16, 3>, %i: index, %x: vector<4x2xf16>, %y: vector<2x2xf16>, %z: vector<2x2xf32>, %u: vector<4x1xf32>, %v: vector<2x1xf32>) -> (vector<2x2xf32>, vector<2x2xf32>, vector<4x2xf16>) {
  %0 = nvgpu.device_async_copy %a[%i, %i], %s[%i, %i], 8 {bypassL1} : memref<128x64xf16> to memref<128x72xf16, 3>
  %1 = nvgpu.device_async_copy %a[%i, %i], %s[%i, %i], 2, %i : memref<128x64xf16> to memref<128x72xf16, 3>
  %2 = nvgpu.device_async_create_group %0, %1
  nvgpu.device_async_wait %2 {numGroups = 1 : i32}
  %3 = nvgpu.ldmatrix %s[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<128x72xf16, 3> -> vector<4x2xf16>
  %4 = nvgpu.mma.sync(%x, %y, %z) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %5 = nvgpu.mma.sync(%u, %v, %z) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  return %4, %5, %3 : vector<2x2xf32>, vector<2x2xf32>, vector<4x2xf16>
}
