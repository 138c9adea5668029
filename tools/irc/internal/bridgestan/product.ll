; The product of the Hessian and a vector, in memory that may have been used before; where no vector is, coordinate %k is.
define internal i1 @bs.product(ptr %model, i1 %j, ptr %theta, ptr %vector, i64 %k, ptr %memory, ptr %lp, ptr %gradient, ptr %out, ptr %error) {
  %room = load i64, ptr @bs.room.product
  %bytes = mul i64 %room, 8
  call void @llvm.memset.p0.i64(ptr %memory, i8 0, i64 %bytes, i1 false)
  %seed = load i64, ptr @bs.at.seed.product
  call void @bs.seed(ptr %memory, i64 %seed, i1 %j)
  %direction.at = load i64, ptr @bs.at.direction.product
  %direction = getelementptr double, ptr %memory, i64 %direction.at
  %unit = icmp eq ptr %vector, null
  br i1 %unit, label %one, label %copy
one:
  %slot = getelementptr double, ptr %direction, i64 %k
  store double 1.0, ptr %slot
  br label %call
copy:
  %n = load i64, ptr @bs.coordinates
  %size = mul i64 %n, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %direction, ptr %vector, i64 %size, i1 false)
  br label %call
call:
  %trap = call i32 @bs.call.product(ptr %model, ptr %theta, ptr %memory)
  %fine = call i1 @bs.went.well(i32 %trap, ptr %memory, ptr @bs.nodes.product, ptr %theta, ptr %error)
  br i1 %fine, label %give, label %done
give:
  %at = load i64, ptr @bs.at.jacobian.product
  %value = call double @bs.density(ptr %memory, i64 %at, i1 %j)
  store double %value, ptr %lp
  %turn = load i64, ptr @bs.at.turn.product
  call void @bs.give(ptr %memory, i64 %turn, ptr %out)
  %unwanted = icmp eq ptr %gradient, null
  br i1 %unwanted, label %done, label %slope
slope:
  %shadow = load i64, ptr @bs.at.shadow.product
  call void @bs.give(ptr %memory, i64 %shadow, ptr %gradient)
  br label %done
done:
  ret i1 %fine
}
