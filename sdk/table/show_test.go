package table_test

import (
	"fmt"

	"github.com/cleave-project/cleave/sdk"
)

func show(w sdk.Warning) string {
	return fmt.Sprintf("%s [%d,%d) %s", w.Code, w.Span.Start, w.Span.End, w.Message)
}
