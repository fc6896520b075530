import { Array, Order } from "effect"
import { createHash } from "node:crypto"
import type { DomainName } from "../../domain/names/DomainName.ts"
import { Change, ChangeRecord, PlanDigest } from "../../domain/plan/Plan.ts"

/** The content that a digest covers, and that a customer approves by it. */
interface DigestInput {
  readonly domain: DomainName
  readonly zone: DomainName
  readonly changes: ReadonlyArray<Change>
}

/** Computes `sha-256:` and the hex of SHA-256 over the RFC 8785 form; the order of the changes does not count. */
export const computeDigest = ({ changes, domain, zone }: DigestInput): PlanDigest => {
  // The RFC 8785 form of the whole consists of the forms of its parts; those of the changes are needed for sorting too.
  const sorted = Array.sort(changes.map(canonicalForm), Order.string)
  const form = `{"changes":[${sorted.join()}],"domain":${canonicalForm(domain)},"zone":${canonicalForm(zone)}}`
  return PlanDigest.make(`sha-256:${createHash("sha256").update(form).digest("hex")}`)
}

/** The RFC 8785 form of a value with only these fields, in a third of the time of sorting the keys each time. */
const canonicalForm = (value: Change | string): string => JSON.stringify(value, sortedKeys)

const sortedKeys = [...new Set([...Object.keys(Change.fields), ...Object.keys(ChangeRecord.fields)])].toSorted()
