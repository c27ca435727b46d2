package sdk

import "fmt"

// Code is a document-level error code: why a whole file gives no chunks.
type Code string

// The codes.
const (
	CodeInvalidConfig       Code = "invalid_config"
	CodeUnclosedFence       Code = "unclosed_fence"
	CodePrefixExceedsBudget Code = "prefix_exceeds_budget"
	CodeHeaderExceedsBudget Code = "header_exceeds_budget"
	CodeOversizeRejected    Code = "oversize_rejected"
	CodeUnsupportedEncoding Code = "unsupported_encoding"
	CodeUnsupportedType     Code = "unsupported_type"
	CodeBinary              Code = "binary"
	CodeNULByte             Code = "nul_byte"
	CodeTooLarge            Code = "too_large"
	CodeEncrypted           Code = "encrypted"
	CodeDamaged             Code = "damaged"
	CodeNoText              Code = "no_text"
	CodeParseTimeout        Code = "parse_timeout"
	CodePluginCrashed       Code = "plugin_crashed"
	CodePluginRefused       Code = "plugin_refused"
	CodePluginBrokeContract Code = "plugin_broke_contract"
)

// Codes lists every code.
func Codes() []Code {
	return []Code{CodeInvalidConfig, CodeUnclosedFence, CodePrefixExceedsBudget, CodeHeaderExceedsBudget,
		CodeOversizeRejected, CodeUnsupportedEncoding, CodeUnsupportedType, CodeBinary, CodeNULByte, CodeTooLarge,
		CodeEncrypted, CodeDamaged, CodeNoText, CodeParseTimeout, CodePluginCrashed, CodePluginRefused,
		CodePluginBrokeContract}
}

// Error refuses a whole document. Message is one line for people: what is wrong, where, what to do.
type Error struct {
	Code    Code
	Message string
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Errorf makes an Error.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
