import { Either, Option } from "effect"
import type { Warning } from "../../../src/domain/Plan.ts"
import { type DnsLookup, questionKey } from "../../../src/planning/DnsLookup.ts"
import { planSpf } from "../../../src/planning/spf/planSpf.ts"
import { fakeLookup } from "../../support/fakeLookup.ts"
import { desiredRecords, exampleCom } from "../../support/planFixtures.ts"

/** What the DNS answers, by `questionKey`. */
export type Answers = Readonly<Record<string, ReadonlyArray<string>>>

/** A DNS of which only the answers given are known. */
export const lookupFrom = (answers: Answers): DnsLookup => {
  const known = new Map(Object.entries(answers))
  return fakeLookup((question) => Option.fromNullable(known.get(questionKey(question))))
}

/** A DNS in which every name exists and permits nobody else to send. */
export const permissiveLookup: DnsLookup = ({ type }) => Either.right([type === "TXT" ? "v=spf1 -all" : "192.0.2.1"])

interface Situation {
  /** A desired value; a leading `?` makes it optional. */
  readonly desired: string
  /** Live values, each with a TTL of 1800 seconds unless another one stands before it. */
  readonly existing?: ReadonlyArray<string>
  readonly receivesMail?: boolean
  readonly lookup?: DnsLookup
}

/** The whole ruling for `example.com` in words, where a TTL of 300 seconds is desired. */
export const describeSpfPlan = ({
  desired,
  existing = [],
  lookup = permissiveLookup,
  receivesMail = false
}: Situation) => {
  const [record] = desiredRecords(desired.replace(/^(\??)/, "$1@ 300 TXT "))
  if (record === undefined) throw new Error("nothing is desired")
  const ruling = planSpf({ desired: record, name: exampleCom, existing: existing.map(asLive), receivesMail, lookup })
  return {
    records: ruling.records.map(({ ttl, value }) => `${ttl} ${value}`),
    warnings: ruling.warnings,
    unanswered: ruling.unanswered.map(questionKey),
    refusal: Option.getOrUndefined(ruling.refusal)
  }
}

/** A ruling that gives one record and knows all it needs to. */
export const mergedPlan = (
  record: string,
  ...warnings: ReadonlyArray<Warning>
): ReturnType<typeof describeSpfPlan> => ({
  records: [record],
  warnings,
  unanswered: [],
  refusal: undefined
})

const asLive = (text: string) => {
  const [, ttl = "1800", value = ""] = /^(?:(\d+) )?(.*)$/s.exec(text) ?? []
  return { value, ttl: Number(ttl) }
}
