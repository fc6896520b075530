import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pages, root } from "./pages.ts"

interface Promised {
  readonly promise: string
  readonly shownBy: string
  readonly limits: string
}

const [, , ...rows] = (pages.find(({ path }) => path === "docs/security.md")?.text ?? "")
  .split("\n")
  .filter((line) => line.startsWith("|"))

const promises = rows.map((row): Promised => {
  const [, promise = "", shownBy = "", limits = ""] = row.split(" | ").join("|").split("|")
  return { promise: promise.trim(), shownBy: shownBy.trim(), limits: limits.trim() }
})

/** The tests and proofs that a row links. */
const linkedFiles = ({ shownBy }: Promised): ReadonlyArray<string> =>
  [...shownBy.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = ""]) => path)

test("docs/security.md has its promises", () => expect(promises.length).toBeGreaterThan(30))

describe("a promise of docs/security.md is shown by tests and proofs that exist", () => {
  test.each(promises.map((each) => [each.promise, each] as const))("%s", (_, each) => {
    const files = linkedFiles(each)
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((path) => !/^(test\/.+\.test|prove\/.+)\.ts$/.test(path))).toEqual([])
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const source = files.map((path) => readFileSync(join(root, path), "utf8")).join("\n")
    const named = [...each.shownBy.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name)
    expect(named.filter((name) => !source.includes(name))).toEqual([])
    expect(each.limits).not.toBe("")
  })
})
