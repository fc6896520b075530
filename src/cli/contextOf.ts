import { Either } from "effect"
import { normalValue } from "../domain/DnsRecord.ts"
import { type DomainName, parseTarget } from "../domain/DomainName.ts"
import type { PlanContext } from "../planning/PlanContext.ts"
import type { ContextInput } from "./CaseRequest.ts"
import { hostOf } from "./zoneRecordOf.ts"

/** What is known beyond the zone, in the normal form in which the planner looks it up. */
export const contextOf = ({ answers = {}, others = [] }: ContextInput, domain: DomainName): PlanContext => ({
  answers: new Map(
    Object.entries(answers).flatMap(([name, byType]) =>
      Object.entries(byType).map(([type, values]): [string, ReadonlyArray<string>] => [
        `${nameIn(name)} ${type.toUpperCase()}`,
        values.map((value) => answerOf(type.toUpperCase(), value))
      ])
    )
  ),
  others: others.map((record) => ({
    ...record,
    host: hostOf(record.host, domain),
    type: record.type.toUpperCase(),
    value: normalValue(record.type.toUpperCase(), record.value)
  }))
})

const nameIn = (name: string): string =>
  Either.getOrElse(parseTarget(name), () => name.toLowerCase().replace(/\.$/, ""))

/** Of an MX the planner looks at the target alone. */
const answerOf = (type: string, value: string): string =>
  normalValue(type, type === "MX" ? (value.trim().split(/\s+/).at(-1) ?? value) : value)
