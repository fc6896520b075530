import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pages, root } from "./pages.ts"

interface SecurityPromise {
  readonly promise: string
  readonly shownBy: string
  readonly limits: string
}

const [, , ...rows] = (pages.find(({ path }) => path === "docs/security.md")?.text ?? "")
  .split("\n")
  .filter((line) => line.startsWith("|"))

const promises = rows.map((row): SecurityPromise => {
  const [, promise = "", shownBy = "", limits = ""] = row.split(" | ").join("|").split("|")
  return { promise: promise.trim(), shownBy: shownBy.trim(), limits: limits.trim() }
})

/** The files of this repository that a text links. */
const linkedFiles = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = ""]) => path)

/** A test, or what several tests have in common. */
const isTestFile = (path: string): boolean => /^test\/.+(\.test|Contract)\.ts$/.test(path)

const readSource = (path: string) => readFileSync(join(root, path), "utf8")

test("docs/security.md has its promises", () => expect(promises.length).toBeGreaterThan(30))

describe("a promise of docs/security.md is shown by tests and proofs that exist", () => {
  test.each(promises.map((each) => [each.promise, each] as const))("%s", (_, each) => {
    const files = linkedFiles(each.shownBy)
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((path) => !/^prove\/.+\.ts$/.test(path) && !isTestFile(path))).toEqual([])
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const source = files.map(readSource).join("\n")
    const named = [...each.shownBy.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name)
    expect(named.filter((name) => !source.includes(name))).toEqual([])
    expect(each.limits).not.toBe("")
  })
})

describe("a promise of docs/security.md names a test of every test file that its row links", () => {
  test.each(promises.map((each) => [each.promise, each] as const))("%s", (_, { limits, shownBy }) => {
    const named = [...`${shownBy} ${limits}`.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name)
    const tests = linkedFiles(`${shownBy} ${limits}`).filter(isTestFile)
    expect(tests.filter((path) => !named.some((name) => readSource(path).includes(name)))).toEqual([])
  })
})
