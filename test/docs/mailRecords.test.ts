import { describe, expect, test } from "bun:test"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { AdvancedDmarcOptions } from "../../src/domain/records/AdvancedDmarcOptions.ts"
import { applyChanges, desiredRecords, planOrThrow, zoneOf } from "../support/planFixtures.ts"

const page = readFileSync(new URL("../../docs/mail-records.md", import.meta.url), "utf8")

/** The rows of the page's tables, each with its cells by the words in the head of its table. */
const rows = page
  .split("\n\n")
  .filter((block) => block.startsWith("| In the zone"))
  .flatMap((block) => {
    const [head = [], , ...body] = block.trim().split("\n").map(cellsOf)
    return body.map((cells) => Object.fromEntries(head.map((word, column) => [word, cells[column] ?? ""])))
  })

function cellsOf(line: string): ReadonlyArray<string> {
  return line
    .slice(1, -1)
    .split(" | ")
    .map((cell) => cell.trim())
}

const spansOf = (cell = ""): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span)

/** `@ TXT hello` with a TTL for `zoneOf`. */
const recordsOf = (cell: string | undefined): ReadonlyArray<string> =>
  spansOf(cell).map((span) => span.replace(" ", " 300 "))

const optionsOf = (cell: string | undefined) => {
  const [json] = spansOf(cell)
  return json === undefined
    ? {}
    : { dmarcOptions: Schema.decodeUnknownSync(Schema.parseJson(AdvancedDmarcOptions))(json) }
}

/** Every policy that the page's records point to exists and needs no look-ups of its own; mail servers have no TLSA. */
const answers = Object.fromEntries([
  ...["mail.example.net", "mailgun.org", "_spf.corp.example", "a.example.net", "b.example.net"].map((name) => [
    `${name} TXT`,
    ["v=spf1 ip4:198.51.100.0/24 -all"]
  ]),
  ["_dmarc.com TXT", []],
  ...["mx1.example.org", "mx2.example.org", "mx.example.net"].map((name) => [`_25._tcp.${name} TLSA`, []])
])

describe("The page about mail records", () => {
  test("has tables", () => expect(rows.length).toBeGreaterThan(15))

  test.each(rows.map((row) => [row["Desired"], row["In the zone"], row] as const))(
    "holds for %s where there is %s",
    (_, __, row) => {
      const zone = zoneOf(...recordsOf(row["In the zone"]))
      const { changes, warnings } = planOrThrow({
        zone,
        desired: desiredRecords(...recordsOf(row["Desired"])),
        answers,
        ...optionsOf(row["Options"])
      })
      const afterwards = applyChanges(zone, changes).records.map(({ host, priority, type, value }) =>
        [host, type, ...(priority === undefined ? [] : [priority]), value].join(" ")
      )
      expect(afterwards.toSorted()).toEqual(spansOf(row["Afterwards"]).toSorted())
      expect(warnings.toSorted()).toEqual(
        spansOf(row["Warnings"])
          .toSorted()
          .map((warning) => warning as never)
      )
    }
  )
})
