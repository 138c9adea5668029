; The functions of BridgeStan that a model exports. What is the model's own is made beside: how its functions are called
; (@bs.call.*), how much memory each needs (@bs.room.*), where in it something is (@bs.at.*), and names. A model is a block of
; numbers: its data, and what is computed of them once. Each call has memory of its own, so that threads share what is constant.

declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare ptr @fopen(ptr, ptr)
declare i32 @fseek(ptr, i64, i32)
declare i64 @ftell(ptr)
declare i64 @fread(ptr, i64, i64, ptr)
declare i32 @fclose(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

@bs_major_version = constant i32 2
@bs_minor_version = constant i32 7
@bs_patch_version = constant i32 0

; Writes a message, for who wants one. It is freed by bs_free_error_msg.
define internal void @bs.fail(ptr %error, ptr %format, ptr %name, i64 %a, i64 %b) cold {
  %unwanted = icmp eq ptr %error, null
  br i1 %unwanted, label %done, label %make
make:
  %text = call ptr @malloc(i64 1024)
  store ptr %text, ptr %error
  %none = icmp eq ptr %text, null
  br i1 %none, label %done, label %write
write:
  %n = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %text, i64 1024, ptr %format, ptr %name, i64 %a, i64 %b)
  br label %done
done:
  ret void
}

; The message of a number that may not be what it is.
define internal void @bs.differ(ptr %error, ptr %format, ptr %name, i64 %i, double %is, double %was) cold {
  %unwanted = icmp eq ptr %error, null
  br i1 %unwanted, label %done, label %make
make:
  %text = call ptr @malloc(i64 1024)
  store ptr %text, ptr %error
  %none = icmp eq ptr %text, null
  br i1 %none, label %done, label %write
write:
  %n = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %text, i64 1024, ptr %format, ptr %name, i64 %i, double %is, double %was)
  br label %done
done:
  ret void
}

; Memory for a number of doubles, all 0.
define internal ptr @bs.memory(i64 %n, ptr %error) {
  %p = call ptr @calloc(i64 %n, i64 8)
  %none = icmp eq ptr %p, null
  br i1 %none, label %short, label %done
short:
  call void @bs.fail(ptr %error, ptr @bs.say.memory, ptr @bs.name, i64 %n, i64 0)
  br label %done
done:
  ret ptr %p
}

; Says what went wrong in a call, whose results are at the beginning of its memory: of a vector with NaN that it has one.
define internal i1 @bs.went.well(i32 %trap, ptr %memory, ptr %nodes, ptr %theta, ptr %error) {
  %trapped = icmp ne i32 %trap, 0
  br i1 %trapped, label %trap.text, label %look
trap.text:
  %why = call ptr @irc_trap_text(i32 %trap)
  call void @bs.fail(ptr %error, ptr @bs.say.as.it.is, ptr %why, i64 0, i64 0)
  ret i1 false
look:
  %status.at = getelementptr i8, ptr %memory, i64 8
  %status = load i32, ptr %status.at
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %done, label %invalid
invalid:
  %n = load i64, ptr @bs.coordinates
  %given = icmp ne ptr %theta, null
  br i1 %given, label %next, label %law
next:
  %i = phi i64 [ 0, %invalid ], [ %i1, %number ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %element, label %law
element:
  %at = getelementptr double, ptr %theta, i64 %i
  %x = load double, ptr %at
  %bad = fcmp uno double %x, 0.0
  %i1 = add i64 %i, 1
  br i1 %bad, label %nan, label %number
number:
  br label %next
nan:
  %of.at = getelementptr ptr, ptr @bs.name.of, i64 %i
  %of = load ptr, ptr %of.at
  call void @bs.fail(ptr %error, ptr @bs.say.nan, ptr %of, i64 0, i64 0)
  ret i1 false
law:
  %node.at = getelementptr i8, ptr %memory, i64 12
  %node = load i32, ptr %node.at
  %unnamed = icmp slt i32 %node, 0
  br i1 %unnamed, label %index, label %name
index:
  call void @bs.fail(ptr %error, ptr @bs.say.index, ptr @bs.name, i64 0, i64 0)
  ret i1 false
name:
  %node.n = sext i32 %node to i64
  %name.at = getelementptr ptr, ptr %nodes, i64 %node.n
  %its = load ptr, ptr %name.at
  call void @bs.fail(ptr %error, ptr @bs.say.invalid, ptr %its, i64 0, i64 0)
  ret i1 false
done:
  ret i1 true
}

; The log density that a call found, with the logarithm of the Jacobian or without.
define internal double @bs.density(ptr %memory, i64 %at, i1 %jacobian) {
  %value = load double, ptr %memory
  %none = icmp slt i64 %at, 0
  %outside = fcmp oeq double %value, 0xFFF0000000000000
  %a = or i1 %none, %jacobian
  %as.it.is = or i1 %a, %outside
  br i1 %as.it.is, label %whole, label %less
less:
  %log.at = getelementptr double, ptr %memory, i64 %at
  %log = load double, ptr %log.at
  %without = fsub double %value, %log
  ret double %without
whole:
  ret double %value
}

; Asks for the derivatives of the density less the logarithm of the Jacobian, which is one of its sums.
define internal void @bs.seed(ptr %memory, i64 %at, i1 %jacobian) {
  %none = icmp slt i64 %at, 0
  %skip = or i1 %none, %jacobian
  br i1 %skip, label %done, label %less
less:
  %slot = getelementptr double, ptr %memory, i64 %at
  store double -1.0, ptr %slot
  br label %done
done:
  ret void
}

; Copies numbers out of memory, or 0 where they are nowhere; where there is no density they are NaN.
define internal void @bs.give(ptr %memory, i64 %at, ptr %to) {
  %n = load i64, ptr @bs.coordinates
  %bytes = mul i64 %n, 8
  %value = load double, ptr %memory
  %outside = fcmp oeq double %value, 0xFFF0000000000000
  br i1 %outside, label %fill, label %inside
fill:
  br label %next
next:
  %i = phi i64 [ 0, %fill ], [ %i1, %one ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %done
one:
  %slot = getelementptr double, ptr %to, i64 %i
  store double 0x7FF8000000000000, ptr %slot
  %i1 = add i64 %i, 1
  br label %next
inside:
  %none = icmp slt i64 %at, 0
  br i1 %none, label %zero, label %copy
zero:
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  ret void
copy:
  %from = getelementptr double, ptr %memory, i64 %at
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
done:
  ret void
}

define i32 @bs_log_density(ptr %model, i8 %propto, i8 %jacobian, ptr %theta, ptr %lp, ptr %error) {
  %j = icmp ne i8 %jacobian, 0
  %room = load i64, ptr @bs.room.density
  %memory = call ptr @bs.memory(i64 %room, ptr %error)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %call
call:
  %trap = call i32 @bs.call.density(ptr %model, ptr %theta, ptr %memory)
  %fine = call i1 @bs.went.well(i32 %trap, ptr %memory, ptr @bs.nodes.density, ptr %theta, ptr %error)
  br i1 %fine, label %give, label %end
give:
  %at = load i64, ptr @bs.at.jacobian.density
  %value = call double @bs.density(ptr %memory, i64 %at, i1 %j)
  store double %value, ptr %lp
  br label %end
end:
  call void @free(ptr %memory)
  %rc = select i1 %fine, i32 0, i32 -1
  ret i32 %rc
failed:
  ret i32 -1
}

define i32 @bs_log_density_gradient(ptr %model, i8 %propto, i8 %jacobian, ptr %theta, ptr %lp, ptr %gradient, ptr %error) {
  %j = icmp ne i8 %jacobian, 0
  %room = load i64, ptr @bs.room.gradient
  %memory = call ptr @bs.memory(i64 %room, ptr %error)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %call
call:
  %seed = load i64, ptr @bs.at.seed.gradient
  call void @bs.seed(ptr %memory, i64 %seed, i1 %j)
  %trap = call i32 @bs.call.gradient(ptr %model, ptr %theta, ptr %memory)
  %fine = call i1 @bs.went.well(i32 %trap, ptr %memory, ptr @bs.nodes.gradient, ptr %theta, ptr %error)
  br i1 %fine, label %give, label %end
give:
  %at = load i64, ptr @bs.at.jacobian.gradient
  %value = call double @bs.density(ptr %memory, i64 %at, i1 %j)
  store double %value, ptr %lp
  %shadow = load i64, ptr @bs.at.shadow.gradient
  call void @bs.give(ptr %memory, i64 %shadow, ptr %gradient)
  br label %end
end:
  call void @free(ptr %memory)
  %rc = select i1 %fine, i32 0, i32 -1
  ret i32 %rc
failed:
  ret i32 -1
}

define i32 @bs_log_density_hessian_vector_product(ptr %model, i8 %propto, i8 %jacobian, ptr %theta, ptr %vector, ptr %lp, ptr %out, ptr %error) {
  %j = icmp ne i8 %jacobian, 0
  %room = load i64, ptr @bs.room.product
  %memory = call ptr @bs.memory(i64 %room, ptr %error)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %call
call:
  %fine = call i1 @bs.product(ptr %model, i1 %j, ptr %theta, ptr %vector, i64 0, ptr %memory, ptr %lp, ptr null, ptr %out, ptr %error)
  call void @free(ptr %memory)
  %rc = select i1 %fine, i32 0, i32 -1
  ret i32 %rc
failed:
  ret i32 -1
}

; A product for each coordinate.
define i32 @bs_log_density_hessian(ptr %model, i8 %propto, i8 %jacobian, ptr %theta, ptr %lp, ptr %gradient, ptr %hessian, ptr %error) {
  %j = icmp ne i8 %jacobian, 0
  %n = load i64, ptr @bs.coordinates
  %room = load i64, ptr @bs.room.product
  %memory = call ptr @bs.memory(i64 %room, ptr %error)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %next
next:
  %i = phi i64 [ 0, %0 ], [ %i1, %row ]
  %before = phi i1 [ true, %0 ], [ %fine, %row ]
  %left = icmp slt i64 %i, %n
  %more = and i1 %left, %before
  br i1 %more, label %row, label %end
row:
  %first = mul i64 %i, %n
  %out = getelementptr double, ptr %hessian, i64 %first
  %fine = call i1 @bs.product(ptr %model, i1 %j, ptr %theta, ptr null, i64 %i, ptr %memory, ptr %lp, ptr %gradient, ptr %out, ptr %error)
  %i1 = add i64 %i, 1
  br label %next
end:
  call void @free(ptr %memory)
  %rc = select i1 %before, i32 0, i32 -1
  ret i32 %rc
failed:
  ret i32 -1
}
