package shop

type Step struct {
	next *Step
	name string
}

func walkOk(step *Step) (names []string) {
	for step != nil {
		names = append(names, step.name)
		step = step.next
	}
	return names
}

func fnWalkedPast(step *Step) string {
	for step != nil {
		step = step.next
	}
	return step.name // missed: null.attribute
}

func lastOk(step *Step) string {
	if step == nil {
		return ""
	}
	for ; step.next != nil; step = step.next {
	}
	return step.name
}

func searchBad(steps []*Step) string {
	var found *Step
	for i := 0; i < len(steps); i++ {
		if steps[i].name == "a" {
			found = steps[i]
			break
		}
	}
	return found.name // null.attribute
}

func searchOk(steps []*Step) string {
	var found *Step
	for i := range steps {
		if steps[i].name == "a" {
			found = steps[i]
			break
		}
	}
	if found == nil {
		return ""
	}
	return found.name
}

func labelledBad(rows [][]*Step) string {
	var found *Step
rows:
	for _, row := range rows {
		for _, step := range row {
			if step == nil {
				continue rows
			}
			if step.name == "a" {
				found = step
				break rows
			}
		}
	}
	return found.name // null.attribute
}

func labelledOk(rows [][]*Step) string {
rows:
	for _, row := range rows {
		for _, step := range row {
			if step == nil {
				continue rows
			}
			return step.name
		}
	}
	return ""
}

func gotoBad(count int) string {
	var step *Step
again:
	if count > 0 {
		count--
		goto again
	}
	return step.name // null.attribute
}

func gotoOk(count int) string {
	var step *Step
	if count > 0 {
		goto set
	}
	return ""
set:
	step = &Step{}
	return step.name
}

func switchBad(kind int) string {
	var step *Step
	switch kind {
	case 1, 2:
		step = &Step{}
	case 3:
		return ""
	}
	return step.name // null.attribute
}

func switchOk(kind int) string {
	var step *Step
	switch kind {
	case 1, 2:
		step = &Step{}
	default:
		return ""
	}
	return step.name
}

func fallThroughBad(kind int) string {
	var step *Step
	switch {
	case kind == 1:
		fallthrough
	case kind == 2:
		return step.name // null.attribute
	case step == nil:
		return ""
	default:
		return step.name
	}
}

func fnSwitchOnNil(step *Step) string {
	switch step {
	case nil:
		return step.name // missed: null.attribute
	}
	return step.name
}

func switchOnNilOk(step *Step) string {
	switch step {
	case nil:
		return ""
	default:
		return step.name
	}
}

func switchTrueOk(step *Step) string {
	switch {
	case step == nil:
		return ""
	case step.next == nil:
		return step.name
	}
	return step.next.name
}

func selectBad(ready, done chan *Step) string {
	var step *Step
	select {
	case step = <-ready:
	case <-done:
	}
	return step.name // null.attribute
}

func selectOk(ready, done chan *Step) string {
	select {
	case step := <-ready:
		return step.name
	case <-done:
		return ""
	}
}

func receivedBad(ready chan *Step) string {
	step, ok := <-ready
	if !ok {
		return step.name // null.attribute
	}
	return step.name
}

func receivedOk(ready chan *Step) string {
	step, ok := <-ready
	if !ok {
		return ""
	}
	for each := range ready {
		return each.name
	}
	return step.name
}

func foreverOk() string {
	var step *Step
	for {
		if step == nil {
			step = &Step{}
			continue
		}
		return step.name
	}
}

func neverBehindOk(done chan bool) string {
	var step *Step
	select {}
	return step.name
}

func inInnerLoopBad(groups [][]int) string {
	step := &Step{}
	for _, group := range groups {
		for range group {
			step = nil
		}
	}
	return step.name // null.attribute
}
