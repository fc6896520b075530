import { Either, Option } from "effect"
import type { Warning } from "../../../src/domain/plan/Warning.ts"
import { type DnsLookup, questionKeyOf } from "../../../src/planning/DnsLookup.ts"
import { planSpf } from "../../../src/planning/spf/planSpf.ts"
import { fakeLookup } from "../../support/fakeLookup.ts"
import { desiredRecords, exampleCom } from "../../support/planFixtures.ts"

/** DNS answers by `questionKeyOf`. */
export type DnsAnswers = Readonly<Record<string, ReadonlyArray<string>>>

/** A lookup that knows only these answers. */
export const lookupFrom = (answers: DnsAnswers): DnsLookup => {
  const known = new Map(Object.entries(answers))
  return fakeLookup((question) => Option.fromNullable(known.get(questionKeyOf(question))))
}

/** A lookup in which every name exists and permits no other sender. */
export const permissiveLookup: DnsLookup = ({ type }) => Either.right([type === "TXT" ? "v=spf1 -all" : "192.0.2.1"])

interface SpfScenario {
  /** A desired value; a leading `?` makes it optional. */
  readonly desired: string
  /** Live values, each with a TTL of 1800 seconds unless it starts with another one. */
  readonly existing?: ReadonlyArray<string>
  readonly hasOtherMailServer?: boolean
  readonly lookup?: DnsLookup
}

/** Formats the SPF plan of `example.com` for a desired TTL of 300 seconds. */
export const describeSpfPlan = ({
  desired,
  existing = [],
  lookup = permissiveLookup,
  hasOtherMailServer = false
}: SpfScenario) => {
  const [record] = desiredRecords(desired.replace(/^(\??)/, "$1@ 300 TXT "))
  if (record === undefined) throw new Error("nothing is desired")
  const plan = planSpf({
    desired: record,
    name: exampleCom,
    existing: existing.map(parseLive),
    hasOtherMailServer,
    lookup
  })
  return {
    records: plan.records.map(({ ttl, value }) => `${ttl} ${value}`),
    warnings: plan.warnings,
    unanswered: plan.unanswered.map(questionKeyOf),
    refusal: Option.getOrUndefined(plan.refusal)
  }
}

/** The expected plan with one record and no unanswered queries. */
export const mergedPlan = (
  record: string,
  ...warnings: ReadonlyArray<Warning>
): ReturnType<typeof describeSpfPlan> => ({
  records: [record],
  warnings,
  unanswered: [],
  refusal: undefined
})

const parseLive = (text: string) => {
  const [, ttl = "1800", value = ""] = /^(?:(\d+) )?(.*)$/s.exec(text) ?? []
  return { value, ttl: Number(ttl) }
}
