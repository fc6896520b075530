import { parseDmarc } from "../../domain/DmarcRecord.ts"
import type { DnsRecord } from "../../domain/DnsRecord.ts"
import { DomainName } from "../../domain/DomainName.ts"
import { type EffectiveIntent, Intent, type IntentRecord, type ResolvedIntent } from "../../domain/Intent.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"

/**
 * Makes an intent that requests exactly the records of an effective intent, so that merged records are not merged
 * again. For DMARC it requests the tags with their values, whatever other tags the served record has.
 */
export const toExactIntent = (effectiveIntent: EffectiveIntent): ResolvedIntent => ({
  domain: DomainName.make(effectiveIntent.domain),
  effectiveIntent,
  intent: Intent.make({
    domain: effectiveIntent.domain,
    records: effectiveIntent.records.map(toExactRecord),
    existingRecordPolicy: { validateDmarc: false, validateCAA: false }
  })
})

/** A duplicate tag is not requested: receivers do not agree on its value. */
const toExactRecord = (record: DnsRecord): IntentRecord => {
  if (singletonTxtKind(record) !== "DMARC") return record
  const { duplicates, tags } = parseDmarc(record.value)
  const overrideTags = Object.fromEntries([...tags].filter(([name]) => !duplicates.includes(name)))
  return { ...record, advancedDmarcOptions: { overrideTags } }
}
