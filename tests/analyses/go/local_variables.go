package shop

type Item struct {
	name string
	next *Item
}

func declaredBad(found bool) string {
	var item *Item
	if found {
		item = &Item{name: "tea"}
	}
	return item.name // null.attribute
}

func declaredOk(found bool) string {
	var item *Item
	if found {
		item = &Item{name: "tea"}
	}
	if item == nil {
		return ""
	}
	return item.name
}

func assignedBad(item *Item, sold bool) {
	if sold {
		item = nil
	}
	item.name = "tea" // null.attribute
}

func assignedOk(item *Item, sold bool) {
	if sold {
		item = nil
	}
	if !sold && item != nil {
		item.name = "tea"
	}
}

func usedTwiceBad() (string, string) {
	var item *Item
	first := item.name // null.attribute
	return first, item.name
}

func swappedBad(item *Item) string {
	var none *Item
	item, none = none, item
	return item.name // null.attribute
}

func swappedOk() string {
	var none *Item
	item := &Item{}
	none, item = item, none
	return none.name
}

func shadowedBad(found bool) string {
	var item *Item
	if found {
		item := &Item{}
		item.name = "tea"
	}
	return item.name // null.attribute
}

func shadowedOk(found bool) string {
	item := &Item{}
	if found {
		var item *Item
		_ = item
	}
	return item.name
}

func fnAlsoTested(item *Item) string {
	if item == nil && item.name == "" { // missed: null.attribute
		return ""
	}
	return "sold"
}

func alsoTestedOk(item *Item) string {
	if item == nil || item.name == "" {
		return ""
	}
	if !(item != nil && item.next != nil) {
		return item.name
	}
	return item.next.name
}

func structOk() string {
	var item Item
	copied := item
	return copied.name + item.name
}

func keptTestBad(found bool) string {
	var item *Item
	if found {
		item = &Item{}
	}
	missing := item == nil
	if missing {
		return item.name // null.attribute
	}
	return item.name
}

func keptTestOk(found bool) string {
	var item *Item
	if found {
		item = &Item{}
	}
	there := item != nil
	if !there {
		return ""
	}
	return item.name
}
