; The product of the Hessian and a vector where the gradient has no derivative: a central difference of gradients. What
; memory is given is not used.
define internal i1 @bs.product(ptr %model, i1 %j, ptr %theta, ptr %vector, i64 %k, ptr %unused, ptr %lp, ptr %gradient, ptr %out, ptr %error) {
entry:
  %flag = zext i1 %j to i8
  %n = load i64, ptr @bs.coordinates
  %three = mul i64 %n, 3
  %memory = call ptr @bs.memory(i64 %three, ptr %error)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %here
here:
  %before = getelementptr double, ptr %memory, i64 %n
  %after.n = mul i64 %n, 2
  %after = getelementptr double, ptr %memory, i64 %after.n
  %rc = call i32 @bs_log_density_gradient(ptr %model, i8 1, i8 %flag, ptr %theta, ptr %lp, ptr %before, ptr %error)
  %fine = icmp eq i32 %rc, 0
  br i1 %fine, label %keep, label %leave
keep:
  %value = load double, ptr %lp
  %unwanted = icmp eq ptr %gradient, null
  br i1 %unwanted, label %steps, label %slope
slope:
  %bytes = mul i64 %n, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %gradient, ptr %before, i64 %bytes, i1 false)
  br label %steps
steps:
  %h = call double @bs.step(ptr %theta, ptr %vector, i64 %k)
  %back = fneg double %h
  call void @bs.move(ptr %theta, ptr %vector, i64 %k, double %back, ptr %memory)
  %rc.before = call i32 @bs_log_density_gradient(ptr %model, i8 1, i8 %flag, ptr %memory, ptr %lp, ptr %before, ptr %error)
  %fine.before = icmp eq i32 %rc.before, 0
  br i1 %fine.before, label %onward, label %leave
onward:
  call void @bs.move(ptr %theta, ptr %vector, i64 %k, double %h, ptr %memory)
  %rc.after = call i32 @bs_log_density_gradient(ptr %model, i8 1, i8 %flag, ptr %memory, ptr %lp, ptr %after, ptr %error)
  store double %value, ptr %lp
  %fine.after = icmp eq i32 %rc.after, 0
  br i1 %fine.after, label %next, label %leave
next:
  %i = phi i64 [ 0, %onward ], [ %i1, %one ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %leave
one:
  %a.at = getelementptr double, ptr %after, i64 %i
  %a = load double, ptr %a.at
  %b.at = getelementptr double, ptr %before, i64 %i
  %b = load double, ptr %b.at
  %change = fsub double %a, %b
  %twice = fmul double %h, 2.0
  %rate = fdiv double %change, %twice
  %to = getelementptr double, ptr %out, i64 %i
  store double %rate, ptr %to
  %i1 = add i64 %i, 1
  br label %next
leave:
  %ok = phi i1 [ false, %here ], [ false, %steps ], [ false, %onward ], [ true, %next ]
  call void @free(ptr %memory)
  ret i1 %ok
failed:
  ret i1 false
}

; The number of a vector, of which a missing one is coordinate %k.
define internal double @bs.direction(ptr %vector, i64 %k, i64 %i) {
  %unit = icmp eq ptr %vector, null
  br i1 %unit, label %one, label %load
one:
  %is = icmp eq i64 %i, %k
  %x = uitofp i1 %is to double
  ret double %x
load:
  %at = getelementptr double, ptr %vector, i64 %i
  %y = load double, ptr %at
  ret double %y
}

; A step along a vector that moves no coordinate by more than some 6e-6 of it, or of 1.
define internal double @bs.step(ptr %theta, ptr %vector, i64 %k) {
entry:
  %n = load i64, ptr @bs.coordinates
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %most = phi double [ 0.0, %entry ], [ %larger, %one ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %done
one:
  %v = call double @bs.direction(ptr %vector, i64 %k, i64 %i)
  %at = getelementptr double, ptr %theta, i64 %i
  %x = load double, ptr %at
  %size = call double @llvm.fabs.f64(double %x)
  %big = fcmp ogt double %size, 1.0
  %scale = select i1 %big, double %size, double 1.0
  %part = fdiv double %v, %scale
  %speed = call double @llvm.fabs.f64(double %part)
  %faster = fcmp ogt double %speed, %most
  %larger = select i1 %faster, double %speed, double %most
  %i1 = add i64 %i, 1
  br label %next
done:
  %still = fcmp oeq double %most, 0.0
  %by = select i1 %still, double 1.0, double %most
  %h = fdiv double 0x3ED965FEA53D6E3D, %by ; the cube root of 2^-52
  ret double %h
}

declare double @llvm.fabs.f64(double)

; A point and so much of a vector.
define internal void @bs.move(ptr %theta, ptr %vector, i64 %k, double %h, ptr %to) {
entry:
  %n = load i64, ptr @bs.coordinates
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %done
one:
  %v = call double @bs.direction(ptr %vector, i64 %k, i64 %i)
  %at = getelementptr double, ptr %theta, i64 %i
  %x = load double, ptr %at
  %by = fmul double %h, %v
  %y = fadd double %x, %by
  %slot = getelementptr double, ptr %to, i64 %i
  store double %y, ptr %slot
  %i1 = add i64 %i, 1
  br label %next
done:
  ret void
}
