package dispatch

import (
	"bytes"
	"path"
	"strings"
)

// format is what is known of a file by its name or its first bytes.
type format struct {
	// mediaType is empty where neither name nor content say anything.
	mediaType string
	// lang is a programming language's name, as plugins know it. Empty for prose.
	lang string
	// parser names the format where plain-text rules would make nonsense of it: markup, containers, encoded mail. The
	// fallback does not get such a file.
	parser string
}

var plainText = format{mediaType: "text/plain"}

// formatOf goes by the whole name, the extension, then the content.
func formatOf(base string, head []byte) format {
	head = head[:min(len(head), headLimit)]
	lower := strings.ToLower(base)
	if f, ok := byName[lower]; ok {
		return f
	}
	if f, ok := byExtension[path.Ext(lower)]; ok {
		return f
	}
	for _, m := range byMagic {
		if hasPrefixFold(bytes.TrimLeft(head, m.skip), m.prefix) {
			return m.format
		}
	}
	if lang := shebang(head); lang != "" {
		return format{mediaType: "text/plain", lang: lang}
	}
	return format{}
}

// headLimit is how much of a file's beginning is looked at: a shebang line, or a doctype after a little white space.
const headLimit = 1024

func code(lang string) format { return format{mediaType: "text/x-" + lang, lang: lang} }

func needs(parser, mediaType string) format { return format{mediaType: mediaType, parser: parser} }

const officeXML = "application/vnd.openxmlformats-officedocument."

// byExtension is short on purpose: what is not here is plain text.
var byExtension = map[string]format{
	".txt":  plainText,
	".text": plainText,
	".log":  plainText,
	".rst":  {mediaType: "text/x-rst"},
	".adoc": {mediaType: "text/asciidoc"},
	".tex":  {mediaType: "text/x-tex"},
	".csv":  {mediaType: "text/csv"},
	".tsv":  {mediaType: "text/tab-separated-values"},
	".json": {mediaType: "application/json"},
	".yaml": {mediaType: "application/yaml"},
	".yml":  {mediaType: "application/yaml"},
	".toml": {mediaType: "application/toml"},
	".xml":  {mediaType: "application/xml"},
	".sql":  {mediaType: "application/sql", lang: "sql"},
	".css":  {mediaType: "text/css", lang: "css"},

	".c":     code("c"),
	".h":     code("c"),
	".cc":    code("cpp"),
	".cpp":   code("cpp"),
	".cxx":   code("cpp"),
	".hpp":   code("cpp"),
	".cs":    code("csharp"),
	".go":    code("go"),
	".java":  code("java"),
	".js":    code("javascript"),
	".jsx":   code("javascript"),
	".mjs":   code("javascript"),
	".kt":    code("kotlin"),
	".lua":   code("lua"),
	".php":   code("php"),
	".pl":    code("perl"),
	".py":    code("python"),
	".pyi":   code("python"),
	".rb":    code("ruby"),
	".rs":    code("rust"),
	".scala": code("scala"),
	".sh":    code("bash"),
	".bash":  code("bash"),
	".swift": code("swift"),
	".ts":    code("typescript"),
	".tsx":   code("tsx"),

	".md":       needs("Markdown", "text/markdown"),
	".markdown": needs("Markdown", "text/markdown"),
	".mdx":      needs("Markdown", "text/markdown"),
	".html":     needs("HTML", "text/html"),
	".htm":      needs("HTML", "text/html"),
	".xhtml":    needs("HTML", "application/xhtml+xml"),
	".mhtml":    needs("a web archive", "multipart/related"),
	".ipynb":    needs("a notebook", "application/x-ipynb+json"),
	".rtf":      needs("Rich Text", "application/rtf"),
	".eml":      needs("a mail", "message/rfc822"),
	".mbox":     needs("a mailbox", "application/mbox"),
	".svg":      needs("an SVG drawing", "image/svg+xml"),
	".pdf":      needs("PDF", "application/pdf"),
	".ps":       needs("PostScript", "application/postscript"),
	".doc":      needs("a Word document", "application/msword"),
	".docx":     needs("a Word document", officeXML+"wordprocessingml.document"),
	".xls":      needs("an Excel workbook", "application/vnd.ms-excel"),
	".xlsx":     needs("an Excel workbook", officeXML+"spreadsheetml.sheet"),
	".ppt":      needs("a PowerPoint presentation", "application/vnd.ms-powerpoint"),
	".pptx":     needs("a PowerPoint presentation", officeXML+"presentationml.presentation"),
	".odt":      needs("an OpenDocument text", "application/vnd.oasis.opendocument.text"),
	".ods":      needs("an OpenDocument spreadsheet", "application/vnd.oasis.opendocument.spreadsheet"),
	".odp":      needs("an OpenDocument presentation", "application/vnd.oasis.opendocument.presentation"),
	".epub":     needs("an e-book", "application/epub+zip"),
}

var byName = map[string]format{
	"makefile":    code("make"),
	"dockerfile":  code("dockerfile"),
	"jenkinsfile": code("groovy"),
}

// byMagic is for names that say nothing. Prefixes are lower case.
var byMagic = []struct {
	prefix string
	skip   string // bytes that may come before it
	format
}{
	{prefix: "%pdf-", format: byExtension[".pdf"]},
	{prefix: `{\rtf`, format: byExtension[".rtf"]},
	{prefix: "<!doctype html", skip: "\ufeff \t\r\n", format: byExtension[".html"]},
	{prefix: "<html", skip: "\ufeff \t\r\n", format: byExtension[".html"]},
}

func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

// shebang is the language of a script that names its interpreter in the first line.
func shebang(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return ""
	}
	for _, word := range strings.Fields(string(rest)) {
		name := strings.TrimRight(path.Base(word), "0123456789.")
		if lang, ok := interpreters[name]; ok {
			return lang
		}
	}
	return ""
}

var interpreters = map[string]string{
	"sh": "bash", "bash": "bash", "dash": "bash", "python": "python", "perl": "perl", "ruby": "ruby",
	"node": "javascript", "php": "php", "lua": "lua",
}
