package lit

// HalfRuntime are the functions that LLVM calls for conversions of f16 where the
// processor has no instructions for them: compilers' libraries may lack them. They are
// the module's own, and give way to others of the name.
//
// An f16 is placed in an f32 with 112 too little in the exponent. Infinities and NaN
// get as much again; denormals have no exponent to add to, and are scaled as integers.
// The other way, 1/2 is added to what becomes denormal, whose sum has as its last place
// the last place of f16; what else there is rounds as in toBF16.
const HalfRuntime = `
define weak hidden float @__extendhfsf2(half %x) nounwind memory(none) {
  %h = bitcast half %x to i16
  %w = zext i16 %h to i32
  %a = and i32 %w, 32767
  %placed = shl i32 %a, 13
  %normal = add i32 %placed, 939524096
  %special = or i32 %placed, 2139095040
  %isnan = icmp ugt i32 %a, 31744
  %quieted = or i32 %special, 4194304
  %infinite = select i1 %isnan, i32 %quieted, i32 %special
  %units = uitofp i32 %a to float
  %scaled = fmul float %units, 0x3E70000000000000
  %denormal = bitcast float %scaled to i32
  %isspecial = icmp uge i32 %a, 31744
  %isdenormal = icmp ult i32 %a, 1024
  %r1 = select i1 %isspecial, i32 %infinite, i32 %normal
  %r2 = select i1 %isdenormal, i32 %denormal, i32 %r1
  %s = and i32 %w, 32768
  %sign = shl i32 %s, 16
  %r3 = or i32 %r2, %sign
  %r = bitcast i32 %r3 to float
  ret float %r
}

define weak hidden half @__truncsfhf2(float %x) nounwind memory(none) {
  %w = bitcast float %x to i32
  %a = and i32 %w, 2147483647
  %low = lshr i32 %a, 13
  %last = and i32 %low, 1
  %moved = add i32 %a, 3355447295
  %even = add i32 %moved, %last
  %normal = lshr i32 %even, 13
  %abs = bitcast i32 %a to float
  %sum = fadd float %abs, 5.000000e-01
  %sumbits = bitcast float %sum to i32
  %denormal = sub i32 %sumbits, 1056964608
  %isnan = icmp ugt i32 %a, 2139095040
  %special = select i1 %isnan, i32 32256, i32 31744
  %islarge = icmp uge i32 %a, 1199570944
  %isdenormal = icmp ult i32 %a, 947912704
  %r1 = select i1 %islarge, i32 %special, i32 %normal
  %r2 = select i1 %isdenormal, i32 %denormal, i32 %r1
  %s = lshr i32 %w, 16
  %sign = and i32 %s, 32768
  %r3 = or i32 %r2, %sign
  %h = trunc i32 %r3 to i16
  %r = bitcast i16 %h to half
  ret half %r
}
`
