; Ways out of the process: whatever a program may do once it runs instructions of its own.

declare i64 @syscall(i64, ...)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare double @exp(double)
declare i32 @printf(ptr, ...)

@thread.result = internal global i64 0
@text = private constant [9 x i8] c"%s is %g\00"
@name = private constant [3 x i8] c"e \00"

define i32 @call(ptr %args, ptr %results) {
  %r = call i64 @raw(ptr %args)
  store i64 %r, ptr %results
  ret i32 0
}

; A system call: its number and six arguments.
define i64 @raw(ptr %args) noinline {
  %n = load i64, ptr %args
  %p1 = getelementptr i64, ptr %args, i64 1
  %a1 = load i64, ptr %p1
  %p2 = getelementptr i64, ptr %args, i64 2
  %a2 = load i64, ptr %p2
  %p3 = getelementptr i64, ptr %args, i64 3
  %a3 = load i64, ptr %p3
  %p4 = getelementptr i64, ptr %args, i64 4
  %a4 = load i64, ptr %p4
  %p5 = getelementptr i64, ptr %args, i64 5
  %a5 = load i64, ptr %p5
  %p6 = getelementptr i64, ptr %args, i64 6
  %a6 = load i64, ptr %p6
  %r = call i64 (i64, ...) @syscall(i64 %n, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6)
  ret i64 %r
}

define ptr @body(ptr %args) {
  %r = call i64 @raw(ptr %args)
  store i64 %r, ptr @thread.result
  ret ptr null
}

; The same on a thread of its own.
define i32 @on_thread(ptr %args, ptr %results) {
  %id = alloca i64
  %failed = call i32 @pthread_create(ptr %id, ptr null, ptr @body, ptr %args)
  %bad = icmp ne i32 %failed, 0
  br i1 %bad, label %no, label %yes
no:
  ret i32 %failed
yes:
  %t = load i64, ptr %id
  %j = call i32 @pthread_join(i64 %t, ptr null)
  %r = load i64, ptr @thread.result
  store i64 %r, ptr %results
  ret i32 %j
}

; What any program may do: mathematics, memory, output.
define i32 @ordinary(ptr %args, ptr %results) {
  %e = call double @exp(double 1.0)
  store double %e, ptr %results
  %m = call ptr @malloc(i64 200000000)
  %null = icmp eq ptr %m, null
  br i1 %null, label %no, label %yes
yes:
  %last = getelementptr i8, ptr %m, i64 199999999
  store volatile i8 1, ptr %last
  call void @free(ptr %m)
  %n = call i32 (ptr, ...) @printf(ptr @text, ptr @name, double %e)
  ret i32 0
no:
  ret i32 9
}
