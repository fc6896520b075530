import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { type Page, pages, root, withoutCode } from "./pages.ts"

describe("every link leads somewhere", () => {
  test.each(pages.map((page) => [page.path, page] as const))("in %s", (_, page) =>
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([])
  )
})

test("there are pages and links to check", () => {
  expect(pages.length).toBeGreaterThan(35)
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(250)
})

test("the README links every page of docs, and has at most 160 lines", () => {
  const [readme] = pages.filter(({ path }) => path === "README.md")
  const linked = readme === undefined ? [] : linksOf(readme)
  const unlinked = pages
    .map(({ path }) => path)
    .filter((path) => /^docs\/[^/]+\.md$/.test(path) && !linked.includes(path))
  expect(unlinked).toEqual([])
  expect(readme?.text.trimEnd().split("\n").length).toBeLessThanOrEqual(160)
})

test("every page of docs begins with one paragraph that says for whom it is", () => {
  const first = pages
    .filter(({ path }) => /^docs\/[^/]+\.md$/.test(path))
    .map(({ path, text }) => [path, /^# .+\n\n(.+)/m.exec(text)?.[1] ?? ""] as const)
  expect(first.filter(([, line]) => !line.startsWith("For ")).map(([path]) => path)).toEqual([])
})

const [, ...entries] = (pages.find(({ path }) => path === "docs/glossary.md")?.text ?? "").split("\n### ")

test("the glossary has its words in order, each with a link to the file where it lives", () => {
  const words = entries.map((entry) => entry.split("\n")[0]?.toLowerCase() ?? "")
  expect(words).toEqual(words.toSorted())
  expect(words.length).toBeGreaterThan(60)
  expect(entries.filter((entry) => !/→\s\[`[^`]+`\]\(\.\.\/(src|test|packages)\/[^)]+\)\s*$/.test(entry))).toEqual([])
})

describe("the file that the glossary links for a word contains it", () => {
  const links = entries.map((entry) => /^(.+)[^]*\]\(\.\.\/((?:src|test|packages)\/[^)]+)\)\s*$/.exec(entry) ?? [])
  test.each(links.map(([, word = "", file = ""]) => [word, file] as const))("%s in %s", (word, file) => {
    const text = readFileSync(join(root, file), "utf8").toLowerCase()
    expect(stemsOf(word).filter((stem) => !text.includes(stem))).toEqual([])
  })
})

/** The words of a term in lower case, without endings that the text may write otherwise. */
const stemsOf = (term: string): ReadonlyArray<string> =>
  term
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "of" && word !== "a")
    .map((word) => word.replace(/(ing|al|e)$/, ""))

function linksOf({ text }: Page): ReadonlyArray<string> {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target)
}

/** Addresses outside the repository are taken as they are. */
const leadsSomewhere = ({ path, text }: Page, link: string): boolean => {
  if (/^https?:/.test(link)) return true
  const [file = "", anchor] = link.split("#")
  const target = file === "" ? path : normalize(join(dirname(path), file))
  if (target.startsWith("..") || !existsSync(join(root, target))) return false
  if (anchor === undefined) return true
  const linkedText = file === "" ? text : pages.find((page) => page.path === target)?.text
  return linkedText !== undefined && statSync(join(root, target)).isFile() && anchorsOf(linkedText).includes(anchor)
}

/** The anchors that GitHub gives to headings: lower case, without punctuation, hyphens for spaces. */
const anchorsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-")
  )
