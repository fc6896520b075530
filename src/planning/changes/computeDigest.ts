import canonicalize from "canonicalize"
import { Array, Order } from "effect"
import { createHash } from "node:crypto"
import type { DomainName } from "../../domain/DomainName.ts"
import { type Change, PlanDigest } from "../../domain/Plan.ts"

/** What an approval is given to. */
export interface DigestInput {
  readonly domain: DomainName
  readonly zone: DomainName
  readonly changes: ReadonlyArray<Change>
}

/** `sha-256:` and the hex of SHA-256 over the RFC 8785 form; the order of the changes does not count. */
export const computeDigest = ({ changes, domain, zone }: DigestInput): PlanDigest => {
  // In RFC 8785 the form of the whole is made of the forms of its parts, each of which is needed for the order too.
  const sorted = Array.sort(changes.map(canonicalForm), Order.string)
  const form = `{"changes":[${sorted.join()}],"domain":${canonicalForm(domain)},"zone":${canonicalForm(zone)}}`
  return PlanDigest.make(`sha-256:${createHash("sha256").update(form).digest("hex")}`)
}

const canonicalForm = (value: unknown): string => canonicalize(value) ?? ""
