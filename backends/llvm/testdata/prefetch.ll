source_filename = "m"

define void @ahead(ptr %0, i64 %1, i64 %2, i64 %3) nounwind "probe-stack"="inline-asm" "min-legal-vector-width"="0" {
entry:
	%4 = mul i64 %1, 4
	%5 = mul nsw i64 %2, 4
	%6 = add nsw i64 %5, %3
	%7 = getelementptr i64, ptr %0, i64 %6
	call void @llvm.prefetch.p0(ptr %7, i32 1, i32 3, i32 1)
	%8 = mul nsw i64 %2, 4
	%9 = add nsw i64 %8, %3
	%10 = getelementptr i64, ptr %0, i64 %9
	call void @llvm.prefetch.p0(ptr %10, i32 0, i32 0, i32 1)
	ret void
}

declare void @llvm.prefetch.p0(ptr %0, i32 %1, i32 %2, i32 %3)
