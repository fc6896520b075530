import { Doc } from "@effect/printer"
import { Ansi, type AnsiDoc } from "@effect/printer-ansi"
import { Array } from "effect"
import type { Change, ChangeRecord } from "../domain/Plan.ts"
import { printable } from "./printable.ts"

/** The changes of a plan, a line for each: `!` if destructive, what is done, host, type, TTL in seconds, value. */
export const changesInWords = (changes: ReadonlyArray<Change>): AnsiDoc.AnsiDoc =>
  Doc.vsep(
    Array.zipWith(changes, inColumns(changes.map(cellsOf)), ({ action, destructive }, line) =>
      Doc.cat(destructive ? marker : Doc.text("  "), Doc.annotate(Doc.text(line), colours[action]))
    )
  )

const marker = Doc.annotate(Doc.text("! "), Ansi.combine(Ansi.bold, Ansi.red))

const colours = { create: Ansi.green, update: Ansi.yellow, delete: Ansi.red } as const

const signs = { create: "+ create", update: "~ update", delete: "- delete" } as const

const inColumns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = rows.reduce<ReadonlyArray<number>>(
    (widths, row) => row.map((cell, column) => Math.max(cell.length, widths[column] ?? 0)),
    []
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

const cellsOf = ({ action, after, before }: Change): ReadonlyArray<string> => {
  const records = [before, after].filter((record) => record !== undefined)
  const said = (text: (record: ChangeRecord) => string) => Array.dedupe(records.map(text)).join(" → ")
  const [from, to = from] = records.map(({ value }) => value)
  const start = from === to ? 0 : Math.max(0, firstDifference(from ?? "", to ?? "") - lead)
  return [
    signs[action],
    said(({ host }) => printable(host)),
    said(({ type }) => printable(type)),
    said(({ ttl }) => `${ttl}`),
    said((record) => valueOf(record, start))
  ]
}

const valueOf = ({ priority, type, value }: ChangeRecord, start: number): string => {
  const text = value.length > longest ? excerpt(value, start) : value
  const written = printable(type === "TXT" ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : text)
  return priority === undefined ? written : `${priority} ${written}`
}

/** Long values are shown in part: from a little before the place where they change. */
const longest = 72
const lead = 24

const excerpt = (value: string, start: number): string =>
  `${start > 0 ? "…" : ""}${value.slice(start, start + longest)}${value.length > start + longest ? "…" : ""}`

const firstDifference = (one: string, other: string): number => {
  const at = one.split("").findIndex((character, index) => character !== other[index])
  return at === -1 ? one.length : at
}
