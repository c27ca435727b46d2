// Package wire is the protocol between a host and a plugin: the generated code of sdk/proto/splitter.proto (see
// tools/protogen), the conversions between it and the values of package sdk, and the two ends, Server and Client. It
// is private so that the protocol can grow without breaking anyone who imports sdk.
//
// It is the only place that knows gRPC codes. It converts and bounds, it does not check an outline: what a plugin
// says arrives as it was said, lies included, and is checked where it is trusted (I12).
package wire
