import { Effect } from "effect"
import type { LabRecord } from "../../support/lab/packet.ts"
import { type AdapterUnderTest, recordsIn } from "./AdapterUnderTest.ts"

/** What somebody else does to the records of one name and type. */
export interface ForeignChange {
  readonly host: string
  readonly type: string
  readonly edit: (records: ReadonlyArray<LabRecord>, added: LabRecord) => ReadonlyArray<LabRecord>
  /** The record that `edit` may add, as a line of a zone file. */
  readonly line: string
  /** The plan writes the record itself, and must not do so once it has changed. */
  readonly conflicts: boolean
}

const isText =
  (text: string) =>
  ({ data }: LabRecord) =>
    data === `"${text}"`

const atApex = { host: "@", type: "TXT" } as const

/** The changes, by what happens. */
export const foreignChanges: Readonly<Record<string, ForeignChange>> = {
  "a sibling is added": {
    ...atApex,
    line: '@ 3600 TXT "added by somebody"',
    edit: (records, added) => [...records, added],
    conflicts: false
  },
  "a sibling changes": {
    ...atApex,
    line: '@ 3600 TXT "changed by somebody"',
    edit: (records, changed) => records.map((record) => (isText("kept beside it")(record) ? changed : record)),
    conflicts: false
  },
  "a sibling is removed": {
    ...atApex,
    line: "",
    edit: (records) => records.filter((record) => !isText("kept beside it")(record)),
    conflicts: false
  },
  "the record that the plan updates changes": {
    ...atApex,
    line: '@ 3600 TXT "v=spf1 a -all"',
    edit: (records, changed) => records.map((record) => (isText("v=spf1 -all")(record) ? changed : record)),
    conflicts: true
  },
  "the record that the plan updates is removed": {
    ...atApex,
    line: "",
    edit: (records) => records.filter((record) => !isText("v=spf1 -all")(record)),
    conflicts: true
  },
  "the record that the plan creates appears": {
    host: "new",
    type: "A",
    line: "new 3600 A 192.0.2.9",
    edit: (_, added) => [added],
    conflicts: true
  }
}

/** Changes the zone as somebody else would. */
export const makeForeignChange = (adapter: AdapterUnderTest, { edit, host, line, type }: ForeignChange) =>
  Effect.flatMap(adapter.dump, (lines) => {
    const name = host === "@" ? `${adapter.zone}.` : `${host}.${adapter.zone}.`
    const records = recordsIn(adapter.zone, lines.join("\n"))
    const [added] = recordsIn(adapter.zone, line)
    const set = records.filter((record) => record.name.toLowerCase() === name && record.type === type)
    return adapter.replaceSets(edit(set, added ?? { name, type, ttl: 0, data: "" }))
  })
