source_filename = "m"

@irc.text0 = private constant [45 x i8] c"irc: @d: arith.floordivsi: division by zero\0A\00"
@irc.text1 = private constant [44 x i8] c"irc: @d: arith.floordivsi: signed overflow\0A\00"
@irc.traps = internal constant [2 x ptr] [ptr @irc.text0, ptr @irc.text1]
@irc.text2 = private constant [3 x i8] c"%s\00"

define <4 x float> @v(<4 x float> %0, <4 x float> %1) nounwind "probe-stack"="inline-asm" "min-legal-vector-width"="128" {
entry:
	%2 = fmul <4 x float> %0, %1
	%3 = extractelement <4 x float> %2, i32 0
	%4 = call float @tanf(float %3)
	%5 = insertelement <4 x float> poison, float %4, i32 0
	%6 = extractelement <4 x float> %2, i32 1
	%7 = call float @tanf(float %6)
	%8 = insertelement <4 x float> %5, float %7, i32 1
	%9 = extractelement <4 x float> %2, i32 2
	%10 = call float @tanf(float %9)
	%11 = insertelement <4 x float> %8, float %10, i32 2
	%12 = extractelement <4 x float> %2, i32 3
	%13 = call float @tanf(float %12)
	%14 = insertelement <4 x float> %11, float %13, i32 3
	%15 = call <4 x float> @llvm.maximum.v4f32(<4 x float> %14, <4 x float> <float 0x3FF0000000000000, float 0x4000000000000000, float 0x4008000000000000, float 0x4012000000000000>)
	%16 = fcmp uno <4 x float> %14, %14
	%17 = fcmp uno <4 x float> <float 0x3FF0000000000000, float 0x4000000000000000, float 0x4008000000000000, float 0x4012000000000000>, <float 0x3FF0000000000000, float 0x4000000000000000, float 0x4008000000000000, float 0x4012000000000000>
	%18 = select <4 x i1> %17, <4 x float> %14, <4 x float> %15
	%19 = select <4 x i1> %16, <4 x float> <float 0x3FF0000000000000, float 0x4000000000000000, float 0x4008000000000000, float 0x4012000000000000>, <4 x float> %18
	ret <4 x float> %19
}

define <4 x i16> @d(<4 x i16> %0, <4 x i16> %1) nounwind "probe-stack"="inline-asm" "min-legal-vector-width"="128" {
entry:
	%2 = icmp eq <4 x i16> %1, <i16 0, i16 0, i16 0, i16 0>
	%3 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %2)
	br i1 %3, label %trap1, label %ok2

ok2:
	%4 = icmp eq <4 x i16> %0, <i16 -32768, i16 -32768, i16 -32768, i16 -32768>
	%5 = icmp eq <4 x i16> %1, <i16 -1, i16 -1, i16 -1, i16 -1>
	%6 = and <4 x i1> %4, %5
	%7 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %6)
	br i1 %7, label %trap3, label %ok4

ok4:
	%8 = sdiv <4 x i16> %0, %1
	%9 = mul <4 x i16> %8, %1
	%10 = sub <4 x i16> %0, %9
	%11 = icmp ne <4 x i16> %10, <i16 0, i16 0, i16 0, i16 0>
	%12 = xor <4 x i16> %0, %1
	%13 = icmp slt <4 x i16> %12, <i16 0, i16 0, i16 0, i16 0>
	%14 = and <4 x i1> %11, %13
	%15 = add <4 x i16> %8, <i16 -1, i16 -1, i16 -1, i16 -1>
	%16 = select <4 x i1> %14, <4 x i16> %15, <4 x i16> %8
	ret <4 x i16> %16

trap1:
	call void @irc.trap(i32 1) noreturn
	unreachable

trap3:
	call void @irc.trap(i32 2) noreturn
	unreachable
}

declare float @tanf(float %0) nounwind willreturn memory(none)

declare <4 x float> @llvm.maximum.v4f32(<4 x float> %0, <4 x float> %1)

declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %0)

define internal void @irc.trap(i32 %0) cold noinline noreturn nounwind "min-legal-vector-width"="128" {
entry:
	%1 = sub i32 %0, 1
	%2 = getelementptr inbounds ptr, ptr @irc.traps, i32 %1
	%3 = load ptr, ptr %2
	%4 = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @irc.text2, ptr %3)
	call void @abort()
	unreachable
}

declare i32 @dprintf(i32 %0, ptr %1, ...) nounwind

declare void @abort() nounwind
