import { Array, Duration } from "effect"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"

/** Why an address, an alias or a delegation that was taken away is not simply put back. */
export type StaleReason = "older_than_thirty_days" | "target_does_not_resolve"

/** Judges the return of a record that has been gone for some time; what is not known is not held against it. */
export const checkStaleness = (
  { type, value }: Pick<LiveRecord, "type" | "value">,
  age: Duration.Duration,
  lookup: DnsLookup
): { readonly doubt: StaleReason | undefined; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const asked = perishable.get(type)
  if (asked === undefined) return { doubt: undefined, unanswered: [] }
  if (Duration.greaterThan(age, maxAge)) return { doubt: "older_than_thirty_days", unanswered: [] }
  const [unanswered, answers] = Array.separate(asked.map((type) => lookup({ name: value, type })))
  const resolves = answers.some((values) => values.length > 0)
  return {
    doubt: asked.length > 0 && unanswered.length === 0 && !resolves ? "target_does_not_resolve" : undefined,
    unanswered: resolves ? [] : unanswered
  }
}

const maxAge = Duration.days(30)

/** What leads to machines that may since be somebody else's, with what there may be at its target. */
const perishable: ReadonlyMap<string, ReadonlyArray<LookupQuestion["type"]>> = new Map([
  ["A", []],
  ["AAAA", []],
  ["CNAME", ["A", "AAAA", "MX", "TXT"]],
  ["ALIAS", ["A", "AAAA"]],
  ["ANAME", ["A", "AAAA"]],
  ["NS", ["A", "AAAA"]]
])
