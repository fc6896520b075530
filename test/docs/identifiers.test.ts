import { Glob } from "bun"
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pages, root, withoutBlocks } from "./pages.ts"

/** Every word of the code, of the names of its files and of the alerts, but for this test. */
const wordsOfCode = new Set(
  ["{src,test,tools,bench,prove,examples}/**/*.ts", "ops/*.yaml"]
    .flatMap((pattern) => [...new Glob(pattern).scanSync({ cwd: root })])
    .filter((path) => !path.includes("node_modules") && !import.meta.path.endsWith(path))
    .flatMap((path) => `${path} ${readFileSync(join(root, path), "utf8")}`.match(/\w+/g) ?? [])
)

/** Identifiers of other software. */
const foreignIdentifiers = ["podIP"]

/** The identifiers in the code spans of a page: words with a capital letter after a small one, or a span in PascalCase. */
const identifiersIn = (text: string): ReadonlyArray<string> =>
  [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].flatMap(([, span = ""]) =>
    (span.match(/\w+/g) ?? []).filter(
      (word) => /[a-z]\w*[A-Z]/.test(word) || (word === span && /^[A-Z][a-z]+$/.test(word))
    )
  )

const isKnown = (word: string) => wordsOfCode.has(word) || foreignIdentifiers.includes(word)

const guides = pages.filter(({ path }) => /^(README|docs\/[^/]+)\.md$/.test(path))

describe("every identifier on a page is one of the code", () => {
  test.each(guides.map(({ path, text }) => [path, text] as const))("in %s", (_, text) =>
    expect(identifiersIn(text).filter((word) => !isKnown(word))).toEqual([])
  )
})

test("a missing identifier is found", () => {
  expect(identifiersIn("Call [`noSuchName`](x.ts) or `NoSuchType.make`, not `it`.")).toEqual([
    "noSuchName",
    "NoSuchType"
  ])
  expect(isKnown("noSuchName")).toBe(false)
})
