import { Glob } from "bun"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The root of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url))

/** A page of the documentation, by its path from the root. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** Every page: those at the root, docs, and what the files for operators, examples and rooms say of themselves. */
export const pages: ReadonlyArray<Page> = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "docs/**/*.md",
  "examples/**/*.md",
  "ops/*.md",
  "src/**/*.md"
]
  .flatMap((pattern) => [...new Glob(pattern).scanSync({ cwd: root })])
  .toSorted()
  .map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") }))

/** A fenced block: its language, the rest of its info string, and its lines. */
export interface FencedBlock {
  readonly language: string
  readonly info: string
  readonly code: string
}

const fence = /^( *)```(\w*) ?([^\n`]*)\n([^]*?)^\1```$/gm

export const fencedBlocks = (text: string): ReadonlyArray<FencedBlock> =>
  [...text.matchAll(fence)].map(([, indent = "", language = "", info = "", code = ""]) => ({
    language,
    info: info.trim(),
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), "")
  }))

/** The text without its fenced blocks. */
export const withoutBlocks = (text: string): string => text.replaceAll(fence, "")

/** The text without its fenced blocks and code spans, in which nothing is a link or a heading. */
export const withoutCode = (text: string): string =>
  withoutBlocks(text).replaceAll(/`[^`\n]*`/g, (span) => span.replaceAll(/[[\]()]/g, " "))
