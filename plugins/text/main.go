package main

import "github.com/cleave-project/cleave/sdk/plugin"

func main() { plugin.Serve(Splitter{}) }
