import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import type { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { queryableTypes } from "../../../src/domain/records/dnsTypes.ts"
import { listPlanQuestions } from "../../../src/lifecycle/plan/ZoneSurvey.ts"
import type { AuthoritativeZone } from "./AuthoritativeZone.ts"

/** A record with its absolute name. */
type AbsoluteRecord = ZoneRecord & { readonly name: string }

/**
 * What the DNS shows of a zone to a plan for these records: the types that it asks for at their hosts, the cuts and the
 * wildcards above them, and which of these names exist without such records.
 */
export const readPublicZone = (
  {
    apex,
    records,
    zone
  }: { readonly apex: string; readonly records: ReadonlyArray<AbsoluteRecord>; readonly zone: AuthoritativeZone },
  domain: string,
  desired: ReadonlyArray<DnsRecord>
): { readonly records: ReadonlyArray<AbsoluteRecord>; readonly emptyNames: ReadonlyArray<string> } => {
  const asked = new Map<string, Set<string>>()
  const ask = (name: string, types: ReadonlyArray<string>) =>
    asked.set(name, new Set([...(asked.get(name) ?? []), ...types, "CNAME"]))
  for (const { host, types } of listPlanQuestions(desired, domain === apex)) {
    const name = host === "@" ? domain : `${host}.${domain}`
    ask(name, types)
    for (const above of listNamesAbove(name, apex)) {
      if (above !== apex) ask(above, ["NS"])
      ask(`*.${above}`, queryableTypes)
    }
  }
  const isServed = ({ name, type }: AbsoluteRecord): boolean =>
    !zone.isDelegated(name) || (type === "NS" && listNamesAbove(name, apex).every((above) => !zone.isDelegated(above)))
  const read = records.filter((record) => asked.get(record.name)?.has(record.type) === true && isServed(record))
  const known = new Set(read.map(({ name }) => name))
  const emptyNames = [...asked.keys()].filter(
    (name) => !name.startsWith("*.") && !known.has(name) && zone.exists(name) && !zone.isDelegated(name)
  )
  return { records: read, emptyNames }
}

const listNamesAbove = (name: string, apex: string): ReadonlyArray<string> =>
  name === apex ? [] : [parentOf(name), ...listNamesAbove(parentOf(name), apex)]

const parentOf = (name: string): string => name.slice(name.indexOf(".") + 1)
