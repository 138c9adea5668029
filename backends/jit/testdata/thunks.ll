; Thunks for the tests of calls.

declare double @lgamma(double)
declare double @exp(double)
declare i32 @printf(ptr, ...)
declare i32 @puts(ptr)
declare ptr @malloc(i64)
declare void @irc_print_i1(i1)
declare void @irc_print_i64(i64)
declare void @irc_print_u64(i64)
declare void @irc_print_f32(float)
declare void @irc_print_f64(double)
declare void @irc_print_str(ptr, i64)
declare void @irc_print_bits(i8, i64)
declare void @irc_newline()

@hello = private constant [9 x i8] c"pi is %g\00"
@text = private constant [5 x i8] c"x = \22"

define i32 @add(ptr %args, ptr %results) {
  %a = load i64, ptr %args
  %p = getelementptr i64, ptr %args, i64 1
  %b = load i64, ptr %p
  %s = add i64 %a, %b
  store i64 %s, ptr %results
  ret i32 0
}

define i32 @gamma(ptr %args, ptr %results) {
  %x = load double, ptr %args
  %l = call double @lgamma(double %x)
  %e = call double @exp(double %l)
  store double %e, ptr %results
  ret i32 0
}

; Prints one of each kind, then returns its argument as the status.
define i32 @print(ptr %args, ptr %results) {
  call void @irc_print_str(ptr @text, i64 5)
  call void @irc_print_i1(i1 true)
  call void @irc_print_i64(i64 -7)
  call void @irc_print_u64(i64 -1)
  call void @irc_print_f32(float 0x3FB99999A0000000)
  call void @irc_print_f64(double 0.1)
  call void @irc_newline()
  call void @irc_print_bits(i8 99, i64 255)
  %status = load i32, ptr %args
  ret i32 %status
}

define i32 @printn(ptr %args, ptr %results) {
entry:
  %n = load i64, ptr %args
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  call void @irc_print_i64(i64 %i)
  %j = add i64 %i, 1
  br label %loop
done:
  ret i32 0
}

define i32 @stdout(ptr %args, ptr %results) {
  %n = call i32 (ptr, ...) @printf(ptr @hello, double 3.5)
  ret i32 0
}

define i32 @flood(ptr %args, ptr %results) {
  br label %loop
loop:
  %n = call i32 @puts(ptr @hello)
  br label %loop
}

; Sums args[1] doubles at address args[0] and doubles each in place.
define i32 @sum(ptr %args, ptr %results) {
entry:
  %p = load ptr, ptr %args
  %q = getelementptr i64, ptr %args, i64 1
  %n = load i64, ptr %q
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %at
  %t = fadd double %s, %x
  %xx = fadd double %x, %x
  store double %xx, ptr %at
  %j = add i64 %i, 1
  br label %loop
done:
  store double %s, ptr %results
  ret i32 0
}

; Allocates args[0] bytes; touches the first. Trap code 3 when there are none.
define i32 @grab(ptr %args, ptr %results) {
  %n = load i64, ptr %args
  %p = call ptr @malloc(i64 %n)
  store ptr %p, ptr %results
  %failed = icmp eq ptr %p, null
  br i1 %failed, label %none, label %some
none:
  ret i32 3
some:
  store volatile i8 42, ptr %p
  ret i32 0
}
