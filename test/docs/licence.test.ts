import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./pages.ts"

const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "")

test("the licence is Apache-2.0, with its full text", () => {
  expect(JSON.parse(read("package.json")).license).toBe("Apache-2.0")
  const text = read("LICENSE")
  expect(text).toContain("Version 2.0, January 2004")
  expect(text).toContain("9. Accepting Warranty or Additional Liability.")
  expect(text).toContain("END OF TERMS AND CONDITIONS")
})

test("the changelog has an Unreleased section, and each version its day and how to upgrade to it", () => {
  const [, unreleased = "", ...versions] = read("CHANGELOG.md").split("\n## ")
  expect(unreleased).toStartWith("[Unreleased]\n")
  expect(versions.length).toBeGreaterThan(0)
  for (const version of versions) expect(version).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d\n\n### Upgrade\n\n- /)
})

test("the page about versions says what clients must ignore, and how long a deprecated field stays", () => {
  const page = read("docs/versioning.md")
  expect(page).toMatch(/ignore\s+fields/)
  expect(page).toMatch(/at least 12 months/)
})
