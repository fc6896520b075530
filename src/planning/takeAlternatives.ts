import { Either } from "effect"
import { DnsRecord } from "../domain/records/DnsRecord.ts"
import { apexHost } from "../domain/names/DomainName.ts"
import { EffectiveIntent, Intent, type IntentRecord, type ResolvedIntent } from "../domain/connection/Intent.ts"
import type { Capabilities } from "../domain/provider/Provider.ts"
import { withoutValidation } from "../domain/values/boundedSchemas.ts"
import { parseValue } from "../domain/records/recordTypes.ts"

/** The zone in which an intent is planned: its name, and the capabilities of its provider. */
interface PlanningZoneOptions {
  readonly zone: string
  readonly capabilities: Pick<Capabilities, "cnameFlattening">
}

/** Replaces a CNAME at the apex by its alternatives, unless the provider is known to flatten it. */
export const takeAlternatives = (
  resolved: ResolvedIntent,
  { capabilities, zone }: PlanningZoneOptions
): ResolvedIntent => {
  const { domain, effectiveIntent, intent } = resolved
  const mustTake = zone === domain && capabilities.cnameFlattening !== "supported"
  if (!mustTake || !intent.records.some(({ alternatives }) => alternatives !== undefined)) return resolved
  const taken = effectiveIntent.records.flatMap((record, index): ReadonlyArray<TakenRecord> => {
    const requested = intent.records[index]
    if (requested === undefined) return []
    const { alternatives = [], ...rest } = requested
    return record.host === apexHost && record.type === "CNAME" && alternatives.length > 0
      ? alternatives.map((alternative) => ({
          requested: { ...rest, ...alternative },
          record: toAddressRecord(record, alternative)
        }))
      : [{ requested, record }]
  })
  return {
    domain,
    intent: Intent.make({ ...intent, records: taken.map(({ requested }) => requested) }, withoutValidation),
    effectiveIntent: EffectiveIntent.make({ domain, records: taken.map(({ record }) => record) }, withoutValidation)
  }
}

/** A record of an intent, as it was requested and in normal form. */
interface TakenRecord {
  readonly requested: IntentRecord
  readonly record: DnsRecord
}

/** The alternatives were validated with the intent. */
const toAddressRecord = (
  { host, optional, ttl }: DnsRecord,
  { type, value }: NonNullable<IntentRecord["alternatives"]>[number]
): DnsRecord =>
  DnsRecord.make(
    { host, type, ttl, optional, value: Either.getOrElse(parseValue(type, value), () => value) },
    withoutValidation
  )
