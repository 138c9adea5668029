; Thunks that end the process that runs them. Accesses are volatile, so that O3
; keeps what is undefined behaviour.

declare void @abort()
declare void @exit(i32)
declare void @llvm.trap()
declare i32 @usleep(i32)
@zero = global i64 0

define i32 @ok(ptr %args, ptr %results) {
  ret i32 0
}

define i32 @null(ptr %args, ptr %results) {
  %p = inttoptr i64 8 to ptr
  store volatile i64 1, ptr %p
  ret i32 0
}

define i32 @wild(ptr %args, ptr %results) {
  %p = inttoptr i64 1311768467463790320 to ptr
  store volatile i64 1, ptr %p
  ret i32 0
}

define i32 @constant(ptr %args, ptr %results) {
  store volatile i64 1, ptr @constant
  ret i32 0
}

define i32 @divide(ptr %args, ptr %results) {
  %z = load volatile i64, ptr @zero
  %n = load volatile i64, ptr @zero
  %q = sdiv i64 %n, %z
  store volatile i64 %q, ptr @zero
  ret i32 0
}

define i32 @forever(ptr %args, ptr %results) {
  br label %loop
loop:
  store volatile i64 0, ptr @zero
  br label %loop
}

; Recurses n deep, half a KiB a call; -1 is too deep for any stack.
define i64 @deep(i64 %n) noinline {
  %room = alloca [64 x i64]
  store volatile i64 %n, ptr %room
  %end = icmp eq i64 %n, 0
  br i1 %end, label %stop, label %more
stop:
  ret i64 0
more:
  %m = sub i64 %n, 1
  %r = call i64 @deep(i64 %m)
  %s = load volatile i64, ptr %room
  %t = add i64 %r, %s
  ret i64 %t
}

define i32 @overflow(ptr %args, ptr %results) {
  %r = call i64 @deep(i64 -1)
  store i64 %r, ptr %results
  ret i32 0
}

define i32 @descend(ptr %args, ptr %results) {
  %n = load i64, ptr %args
  %r = call i64 @deep(i64 %n)
  store i64 %r, ptr %results
  ret i32 0
}

define i32 @trap(ptr %args, ptr %results) {
  call void @llvm.trap()
  unreachable
}

define i32 @aborts(ptr %args, ptr %results) {
  call void @abort()
  unreachable
}

define i32 @exits(ptr %args, ptr %results) {
  call void @exit(i32 3)
  unreachable
}
