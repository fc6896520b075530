import { parseDmarc } from "../../domain/DmarcRecord.ts"
import type { DnsRecord } from "../../domain/DnsRecord.ts"
import { DomainName } from "../../domain/DomainName.ts"
import { type EffectiveIntent, Intent, type IntentRecord, type ResolvedIntent } from "../../domain/Intent.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"

/**
 * An intent that asks for exactly what an effective intent holds: what was merged already is not decided again. Of DMARC
 * the tags are wanted with their values, whatever other tags stand beside them.
 */
export const toExactIntent = (effectiveIntent: EffectiveIntent): ResolvedIntent => ({
  domain: DomainName.make(effectiveIntent.domain),
  effectiveIntent,
  intent: Intent.make({
    domain: effectiveIntent.domain,
    records: effectiveIntent.records.map(byTag),
    existingRecordPolicy: { validateDmarc: false, validateCAA: false }
  })
})

/** A tag that the record gives twice has no value of its own: receivers do not agree on it. */
const byTag = (record: DnsRecord): IntentRecord => {
  if (singletonTxtKind(record) !== "DMARC") return record
  const { duplicates, tags } = parseDmarc(record.value)
  const overrideTags = Object.fromEntries([...tags].filter(([name]) => !duplicates.includes(name)))
  return { ...record, advancedDmarcOptions: { overrideTags } }
}
