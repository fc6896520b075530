import { expect, test } from "bun:test"
import { isTitleIn } from "./testTitles.ts"

const source = `
live("reads a target as \\"@\\"", () => {})
live('the vendor\\'s own words', () => {})
live(\`\${status} \${code} while the zone is opened\`, () => {})
live(\`\${title}\`, () => {})
live(title, () => {})
`

test("a title is found in a text, however it is quoted", () => {
  expect(isTitleIn(source, 'reads a target as "@"')).toBe(true)
  expect(isTitleIn(source, "the vendor's own words")).toBe(true)
})

test("a title is found in a template whose gaps it fills", () => {
  expect(isTitleIn(source, "401 unauthorized while the zone is opened")).toBe(true)
  expect(isTitleIn(source, "while the zone is opened")).toBe(false)
  expect(isTitleIn(source, "401 unauthorized while the zone is closed")).toBe(false)
})

test("a part of a title is none, and neither is what only a template of gaps fits", () => {
  expect(isTitleIn(source, "reads a target")).toBe(false)
  expect(isTitleIn(source, "anything else")).toBe(false)
})
