import { Either, Option } from "effect"
import type { Warning } from "../../../src/domain/Plan.ts"
import { type Lookup, questionKey } from "../../../src/planning/Lookup.ts"
import { ruleSpf } from "../../../src/planning/spf/ruleSpf.ts"
import { lookupBy } from "../../support/lookups.ts"
import { exampleCom, wantedOf } from "../../support/zones.ts"

/** What the DNS answers, by `questionKey`. */
export type Answers = Readonly<Record<string, ReadonlyArray<string>>>

/** A DNS of which only the answers given are known. */
export const knowing = (answers: Answers): Lookup => {
  const known = new Map(Object.entries(answers))
  return lookupBy((question) => Option.fromNullable(known.get(questionKey(question))))
}

/** A DNS in which every name exists and permits nobody else to send. */
export const allIsWell: Lookup = ({ type }) => Either.right([type === "TXT" ? "v=spf1 -all" : "192.0.2.1"])

interface Situation {
  /** A wanted value; a leading `?` makes it optional. */
  readonly wanted: string
  /** Live values, each with a TTL of 1800 seconds unless another one stands before it. */
  readonly existing?: ReadonlyArray<string>
  readonly receivesMail?: boolean
  readonly lookup?: Lookup
}

/** The whole ruling for `example.com` in words, where a TTL of 300 seconds is wanted. */
export const rulingFor = ({ existing = [], lookup = allIsWell, receivesMail = false, wanted }: Situation) => {
  const [record] = wantedOf(wanted.replace(/^(\??)/, "$1@ 300 TXT "))
  if (record === undefined) throw new Error("nothing is wanted")
  const ruling = ruleSpf({ wanted: record, name: exampleCom, existing: existing.map(asLive), receivesMail, lookup })
  return {
    records: ruling.records.map(({ ttl, value }) => `${ttl} ${value}`),
    warnings: ruling.warnings,
    unanswered: ruling.unanswered.map(questionKey),
    refusal: Option.getOrUndefined(ruling.refusal)
  }
}

/** A ruling that gives one record and knows all it needs to. */
export const settled = (record: string, ...warnings: ReadonlyArray<Warning>): ReturnType<typeof rulingFor> => ({
  records: [record],
  warnings,
  unanswered: [],
  refusal: undefined
})

const asLive = (text: string) => {
  const [, ttl = "1800", value = ""] = /^(?:(\d+) )?(.*)$/s.exec(text) ?? []
  return { value, ttl: Number(ttl) }
}
