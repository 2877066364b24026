package shop

type Failure struct{ text string }

func (f *Failure) Error() string {
	if f == nil {
		return "no failure"
	}
	return f.text
}

func checkBad(failed bool) error {
	var failure *Failure
	if failed {
		failure = &Failure{"failed"}
	}
	return failure // null.interface
}

func checkOk(failed bool) error {
	if failed {
		return &Failure{"failed"}
	}
	return nil
}

func convertedBackOk(failed bool) error {
	var failure *Failure
	if failed {
		failure = &Failure{"failed"}
	}
	if failure == nil {
		return nil
	}
	return failure
}
