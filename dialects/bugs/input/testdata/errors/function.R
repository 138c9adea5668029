x <- reps(1, 3)
