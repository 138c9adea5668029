source_filename = "m"

@irc.text0 = private constant [45 x i8] c"irc: @divide: arith.divsi: division by zero\0A\00"
@irc.text1 = private constant [44 x i8] c"irc: @divide: arith.divsi: signed overflow\0A\00"
@irc.text2 = private constant [45 x i8] c"irc: @divide: arith.remsi: division by zero\0A\00"
@irc.text3 = private constant [44 x i8] c"irc: @divide: arith.remsi: signed overflow\0A\00"
@irc.text4 = private constant [47 x i8] c"irc: @calls: memref.load: index out of bounds\0A\00"
@irc.traps = internal constant [5 x ptr] [ptr @irc.text0, ptr @irc.text1, ptr @irc.text2, ptr @irc.text3, ptr @irc.text4]
@irc.text5 = private constant [3 x i8] c"%s\00"

define double @sum(ptr %0, i64 %1) nounwind "probe-stack"="inline-asm" "min-legal-vector-width"="0" {
entry:
	br label %loop1

loop1:
	%2 = phi i64 [ 0, %entry ], [ %8, %body2 ]
	%3 = phi double [ 0x0000000000000000, %entry ], [ %7, %body2 ]
	%4 = icmp slt i64 %2, %1
	br i1 %4, label %body2, label %exit3

body2:
	%5 = getelementptr inbounds double, ptr %0, i64 %2
	%6 = load double, ptr %5, align 8
	%7 = fadd reassoc double %3, %6
	%8 = add nuw nsw i64 %2, 1
	br label %loop1

exit3:
	ret double %3
}

define internal { i32, i32 } @irc.func.divide(i32 %0, i32 %1) nounwind "probe-stack"="inline-asm" "min-legal-vector-width"="0" {
entry:
	%2 = icmp eq i32 %1, 0
	br i1 %2, label %trap1, label %ok2

ok2:
	%3 = icmp eq i32 %0, -2147483648
	%4 = icmp eq i32 %1, -1
	%5 = and i1 %3, %4
	br i1 %5, label %trap3, label %ok4

ok4:
	%6 = sdiv i32 %0, %1
	%7 = icmp eq i32 %1, 0
	br i1 %7, label %trap5, label %ok6

ok6:
	%8 = icmp eq i32 %0, -2147483648
	%9 = icmp eq i32 %1, -1
	%10 = and i1 %8, %9
	br i1 %10, label %trap7, label %ok8

ok8:
	%11 = srem i32 %0, %1
	%12 = insertvalue { i32, i32 } poison, i32 %6, 0
	%13 = insertvalue { i32, i32 } %12, i32 %11, 1
	ret { i32, i32 } %13

trap1:
	call void @irc.trap(i32 1) noreturn
	unreachable

trap3:
	call void @irc.trap(i32 2) noreturn
	unreachable

trap5:
	call void @irc.trap(i32 3) noreturn
	unreachable

trap7:
	call void @irc.trap(i32 4) noreturn
	unreachable
}

define internal { float, i1 } @irc.func.host(i1 %0, ptr %1) nounwind "probe-stack"="inline-asm" "min-legal-vector-width"="0" {
entry:
	%2 = alloca { float, i1 }
	call void @host(ptr %2, i1 %0, ptr %1)
	%3 = load { float, i1 }, ptr %2
	ret { float, i1 } %3
}

define float @calls(i1 %0, ptr %1, ptr noalias %2, i64 %3, i64 %4) nounwind "probe-stack"="inline-asm" "min-legal-vector-width"="0" {
entry:
	%5 = call { float, i1 } @irc.func.host(i1 %0, ptr %1)
	%6 = extractvalue { float, i1 } %5, 0
	%7 = extractvalue { float, i1 } %5, 1
	br i1 %7, label %then1, label %else2

then1:
	%8 = call float @llvm.exp.f32(float %6)
	br label %join3

else2:
	%9 = icmp uge i64 1, %3
	br i1 %9, label %trap4, label %ok5

ok5:
	%10 = add nsw i64 %4, 1
	%11 = getelementptr inbounds float, ptr %2, i64 %10
	%12 = load float, ptr %11, align 4
	br label %join3

join3:
	%13 = phi float [ %8, %then1 ], [ %12, %ok5 ]
	ret float %13

trap4:
	call void @irc.trap(i32 5) noreturn
	unreachable
}

define internal void @irc.trap(i32 %0) cold noinline noreturn nounwind "min-legal-vector-width"="0" {
entry:
	%1 = sub i32 %0, 1
	%2 = getelementptr inbounds ptr, ptr @irc.traps, i32 %1
	%3 = load ptr, ptr %2
	%4 = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @irc.text5, ptr %3)
	call void @abort()
	unreachable
}

define void @divide(ptr %0, i32 %1, i32 %2) nounwind "min-legal-vector-width"="0" {
entry:
	%3 = call { i32, i32 } @irc.func.divide(i32 %1, i32 %2)
	store { i32, i32 } %3, ptr %0
	ret void
}

declare void @host(ptr %0, i1 zeroext %1, ptr %2)

declare float @llvm.exp.f32(float %0)

declare i32 @dprintf(i32 %0, ptr %1, ...) nounwind

declare void @abort() nounwind
