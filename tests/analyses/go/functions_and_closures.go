package shop

import "sync"

type Task struct{ name string }

func calledBad(later bool) int {
	var run func() int
	if later {
		run = func() int { return 1 }
	}
	return run() // null.call
}

func calledOk(later bool) int {
	var run func() int
	if later {
		run = func() int { return 1 }
	}
	if run == nil {
		return 0
	}
	return run()
}

func passedBad(run func(int) int) int {
	return run(1) // null.call
}

func passed(run func(int) int) int {
	if run == nil {
		return 0
	}
	return run(1)
}

func passNothing() int {
	return passedBad(nil) + passed(nil)
}

func closureResultBad() string {
	make := func(found bool) *Task {
		if !found {
			return nil
		}
		return &Task{}
	}
	return make(true).name // null.attribute
}

func closureResultOk() string {
	make := func() *Task { return &Task{} }
	return make().name
}

func setInClosureOk() string {
	var task *Task
	var once sync.Once
	once.Do(func() { task = &Task{} })
	return task.name
}

func inClosureBad() func() string {
	return func() string {
		var task *Task
		return task.name // null.attribute
	}
}

func inClosureOk() func() string {
	task := &Task{}
	return func() string { return task.name }
}

func perRoundOk(tasks []*Task) (all []func() string) {
	for _, task := range tasks {
		if task == nil {
			continue
		}
		all = append(all, func() string { return task.name })
	}
	return
}

func immediateBad() {
	func(task *Task) {
		task.name = "" // null.attribute
	}(nil)
}

func immediateOk() {
	func(task *Task) {
		task.name = ""
	}(&Task{})
}

func deferredOk() (err error) {
	var task *Task
	defer func() {
		if task != nil {
			task.name = "done"
		}
	}()
	task = &Task{}
	return nil
}

func deferred() {
	var task *Task
	defer use(task)
	task = &Task{}
	task.name = ""
}

func use(task *Task) { useBad(task) }

func useBad(task *Task) {
	task.name = "used" // null.attribute
}

func goOk() {
	var task *Task
	go use(&Task{})
	task = &Task{}
	task.name = ""
}

func recursiveOk(depth int) *Task {
	if depth == 0 {
		return &Task{}
	}
	return recursiveOk(depth - 1)
}
