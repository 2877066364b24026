package shop

import "fmt"

type Speaker interface {
	Speak() string
}

type Dog struct{ name string }

func (d *Dog) Speak() string { return d.name }

type Cat struct{ name string }

func (c Cat) Speak() string { return c.name }

func speakBad(loud bool) string {
	var speaker Speaker
	if loud {
		speaker = &Dog{}
	}
	return speaker.Speak() // null.method
}

func speakOk(loud bool) string {
	var speaker Speaker
	if loud {
		speaker = Cat{}
	}
	if speaker != nil {
		return speaker.Speak()
	}
	return ""
}

func choose(kind string) Speaker {
	switch kind {
	case "dog":
		return &Dog{}
	case "cat":
		return Cat{}
	}
	return nil
}

func chosenBad() string {
	return choose("cow").Speak() // null.method
}

func chosenOk() string {
	speaker := choose("cow")
	if speaker == nil {
		return ""
	}
	return speaker.Speak()
}

func (d *Dog) Safe() string {
	if d == nil {
		return ""
	}
	return d.name
}

func pointerReceiverOk() string {
	var dog *Dog
	return dog.Safe()
}

func (d *Dog) unsafeBad() string {
	return d.name // null.attribute
}

func pointerReceiver() string {
	var dog *Dog
	return dog.unsafeBad()
}

func valueReceiverBad() string {
	var cat *Cat
	return cat.Speak() // null.method
}

func valueReceiverOk() string {
	cat := &Cat{}
	return cat.Speak()
}

func methodValueBad() func() string {
	var speaker Speaker
	return speaker.Speak // null.attribute
}

func methodValueOk() func() string {
	var speaker Speaker = Cat{}
	return speaker.Speak
}

func assertedBad() string {
	var value any
	return value.(string) // null.attribute
}

func assertedOk(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return ""
}

func assertedPointerBad(value any) string {
	dog, ok := value.(*Dog)
	if !ok {
		return dog.name // null.attribute
	}
	return dog.name
}

func assertedPointerOk(value any) string {
	if dog, ok := value.(*Dog); ok {
		return dog.name
	}
	return ""
}

func fnTypeSwitch(speaker Speaker) string {
	switch s := speaker.(type) {
	case nil:
		return s.Speak() // missed: null.attribute
	case *Dog:
		return s.name
	default:
		return s.Speak()
	}
}

func typeSwitchOk(speaker Speaker) string {
	switch s := speaker.(type) {
	case nil:
		return ""
	case *Dog, Cat:
		return s.Speak()
	default:
		return s.Speak()
	}
}

func printedOk() {
	var value any
	fmt.Println(value)
}

type errorList []error

func (list errorList) Text() string {
	if len(list) == 0 {
		return ""
	}
	return list[0].Error()
}

type Dogs struct {
	first *Dog
	errs  errorList
}

func (d *Dogs) errors() errorList {
	if d.first == nil {
		return nil
	}
	return d.errs
}

func valueOfSliceOk(dogs *Dogs) string {
	return dogs.errors().Text()
}

func unknownMethodBad(dogs map[string]func() *Dogs) string {
	var found *Dogs
	if make := dogs["a"]; make != nil {
		found = make()
	}
	return found.first.name // null.attribute
}
