import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { catalogAdapters } from "../../../src/providers/catalog/catalogAdapters.ts"
import { root } from "../../docs/pages.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { missingVendorData, vendorData } from "../../support/vendors/vendorData.ts"
import { type Evidence, type EvidenceKind, evidenceKinds, evidenceRows, type NamedTest } from "./AdapterEvidence.ts"
import { evidence } from "./evidence.ts"
import { isTitleIn } from "./testTitles.ts"
import { vendorContract } from "./vendorContract.ts"

test("each adapter of the catalog has its evidence, and no other provider has any", () =>
  expect(evidence.map(({ provider }) => provider).toSorted()).toEqual(Object.keys(catalogAdapters).toSorted()))

describe("the evidence for an adapter", () => {
  for (const { findings = {}, name, rows, sources, traps } of evidence) {
    const cells = evidenceKinds.flatMap((kind) => Object.values(rows[kind]))
    const tests = testsOf([...cells, ...Object.values(traps), ...Object.values(findings)])

    test(`has a cell for each row and kind, and each empty one says why: ${name}`, () => {
      for (const kind of evidenceKinds)
        expect([kind, Object.keys(rows[kind]).toSorted()]).toEqual([kind, Object.keys(evidenceRows).toSorted()])
      expect([...cells, ...Object.values(traps)].filter(isEmpty)).toEqual([])
      expect(Object.values(sources).filter(isEmpty)).toEqual([])
    })

    test(`names files of tests that exist: ${name}`, () =>
      expect(tests.map(({ file }) => file).filter((file) => !file.endsWith(".test.ts") || !isFile(file))).toEqual([]))

    test(`names for each kind only tests of that kind: ${name}`, () => {
      for (const kind of evidenceKinds)
        expect([kind, testsOf(Object.values(rows[kind])).filter(({ file }) => !isOfKind[kind](file))]).toEqual([
          kind,
          []
        ])
    })

    test(`names tests that exist: ${name}`, () => expect(tests.filter((each) => !isDeclared(each))).toEqual([]))
  }
})

describeIfPossible("the evidence for an adapter, compared with the facts of its vendor,", missingVendorData, () => {
  for (const { findings = {}, name, provider, traps } of evidence)
    test(`has each trap by its words, and no other: ${name}`, async () => {
      const { vendors } = await Bun.file(`${vendorData}vendor-facts.json`).json()
      const facts = Object.values<any>(vendors).find(({ id }) => id === provider)
      const open = (facts.open ?? []).map(({ finding }: { readonly finding: string }) => finding)
      // A finding may become a trap: its test stays the same.
      expect([...Object.keys(traps), ...Object.keys(findings)]).toEqual([
        ...facts.traps.map(({ trap }: { readonly trap: string }) => trap),
        ...open
      ])
    })
})

function testsOf(cells: ReadonlyArray<Evidence>): ReadonlyArray<NamedTest> {
  return cells.flatMap((cell) => (typeof cell === "string" ? [] : cell))
}

const isRecording = (file: string): boolean => /Recordings?\.test\.ts$/.test(file)

/** A judge runs at the vendor's own host, in a network of its own. */
const isJudge = (file: string): boolean => file.endsWith(".servers.test.ts")

const isOfAdapter = (file: string): boolean => !isRecording(file) && !isJudge(file)

const isOfKind: Readonly<Record<EvidenceKind, (file: string) => boolean>> = {
  document: isOfAdapter,
  recording: isRecording,
  judge: isJudge,
  trap: isOfAdapter
}

/** Without a test and without words that say why. */
const isEmpty = (cell: Evidence): boolean => (typeof cell === "string" ? !/\w+ \w+/.test(cell) : cell.length === 0)

const isFile = (path: string): boolean => existsSync(join(root, path))

const contractTitles: Array<string> = []
vendorContract((title) => contractTitles.push(title), Effect.never)

/** What several adapters share is declared beside their folders, and runs where it is called. */
const isDeclared = ({ file, title }: NamedTest): boolean => {
  if (!isFile(file)) return false
  return [file, ...sharedBy(file)].some((each) =>
    each.endsWith("/vendorContract.ts")
      ? contractTitles.includes(title)
      : isTitleIn(readFileSync(join(root, each), "utf8"), title)
  )
}

/** The shared files from which a file, or one of these, imports. */
const sharedBy = (file: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> => {
  const source = readFileSync(join(root, file), "utf8")
  const imported = [...source.matchAll(/from "(\.\.?\/\w+\.ts)"/g)].map(([, path = ""]) => join(dirname(file), path))
  return imported
    .filter((path) => dirname(path) === "test/providers/adapters" && !known.has(path))
    .reduce<ReadonlySet<string>>((all, path) => sharedBy(path, new Set([...all, path])), known)
}
