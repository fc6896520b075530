import { Array, Option } from "effect"
import { isValidDmarc, parseDmarc } from "../../domain/DmarcRecord.ts"
import { HostName, nameOf } from "../../domain/DomainName.ts"
import { onceOnlyKind } from "../../domain/onceOnlyKind.ts"
import type { Warning } from "../../domain/Plan.ts"
import { inheritedPolicies, policiesOf, policyWarnings } from "../dmarc/policies.ts"
import { walkUp } from "../dmarc/walkUp.ts"
import type { Lookup, Question } from "../Lookup.ts"
import type { LiveZone } from "../zone/LiveZone.ts"

/** A zone, and what the DNS answers while it is served. */
export interface Served {
  readonly live: LiveZone
  readonly lookup: Lookup
}

/** Whether mail is treated less or more strictly by the DMARC policy that applies at a host in one zone and another. */
export const dmarcShift = (
  host: string,
  [from, to]: readonly [from: Served, to: Served]
): { readonly warnings: ReadonlyArray<Warning>; readonly unanswered: ReadonlyArray<Question> } => {
  const [before, after] = [policiesAt(host, from), policiesAt(host, to)]
  return {
    warnings: policyWarnings(before.policies, after.policies),
    unanswered: [...before.unanswered, ...after.unanswered]
  }
}

const policiesAt = (host: string, { live, lookup }: Served) => {
  const texts = live.recordsAt(host).filter((record) => onceOnlyKind(record) === "DMARC")
  const record = Array.findFirst(
    texts.map(({ value }) => parseDmarc(value)),
    isValidDmarc
  )
  if (Option.isSome(record)) return { policies: policiesOf(record.value), unanswered: [] }
  const { applicable, unanswered } = walkUp(nameOf(HostName.make(host), live.domain).replace(/^_dmarc\./, ""), lookup)
  return { policies: Option.match(applicable, { onNone: () => [], onSome: inheritedPolicies }), unanswered }
}
