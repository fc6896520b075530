import type { Warning } from "../domain/plan/Warning.ts"
import { type ChangeDocument, type ConnectionDocument, warningsOf } from "./ConnectionDocument.ts"
import { withLocalStorage } from "./browserStorage.ts"

/** The consent that the customer has given on this page to one plan. */
export interface ConsentDraft {
  readonly digest: string | undefined
  /** The changes that the customer has looked at; none before the first plan. */
  readonly seen: ReadonlyArray<SeenChange>
  /** The warnings that the customer has confirmed. */
  readonly acknowledged: ReadonlySet<Warning>
  /** Whether the customer gets mail at a domain without a mail server of its own; `undefined` until it is answered. */
  readonly getsMail?: boolean | undefined
  readonly isGiven: boolean
}

/** A change with the warnings that stood beside it. */
type SeenChange = ChangeDocument & { readonly warnings?: ReadonlyArray<Warning> }

/** What a customer sees who looks at the plan. */
export const listSeenChanges = (connection: ConnectionDocument): ReadonlyArray<SeenChange> =>
  (connection.plan?.changes ?? []).map((change, index) => ({
    ...change,
    warnings: warningsOf(connection).flatMap(({ changes, code }) => (changes.includes(index) ? [code] : []))
  }))

/** A draft for a plan to which the customer has not agreed yet. */
export const createConsentDraft = (): ConsentDraft => ({
  digest: undefined,
  seen: [],
  acknowledged: new Set(),
  isGiven: false
})

/** Whether a draft still counts: until everything is written, or the way ends. */
export const isAwaitingConsent = ({ state }: ConnectionDocument): boolean => statesOfConsent.includes(state)

const statesOfConsent: ReadonlyArray<string> = [
  "awaiting_authorization",
  "authorizing",
  "awaiting_manual",
  "authorized",
  "planned",
  "applying",
  "failed"
]

/**
 * The draft for the plan that counts now. A consent stays where the plan asks for nothing else than what was agreed to,
 * but for the entry that proves the domain, and warns of nothing else; what was confirmed stays for the same changes.
 */
export const carryConsent = (consent: ConsentDraft, connection: ConnectionDocument): ConsentDraft => {
  const { control, plan } = connection
  if (plan === undefined) return { ...consent, digest: undefined, isGiven: false }
  const { changes, digest } = plan
  if (digest === consent.digest) return consent
  const seen = new Map(consent.seen.map((change) => [keyOfChange(change), change.warnings ?? []]))
  const seenAt = (change: ChangeDocument | undefined) => change && seen.get(keyOfChange(change))
  const isCovered = changes.every(
    (change) => seenAt(change) !== undefined || (change.after?.value ?? "") === control?.challenge?.value
  )
  const warnings = warningsOf(connection)
  const isStillConfirmed = ({ changes: places, code }: (typeof warnings)[number]) =>
    consent.acknowledged.has(code) &&
    (places.length === 0 ? isCovered : places.every((place) => seenAt(changes[place])?.includes(code)))
  const acknowledged = new Set(warnings.filter(isStillConfirmed).map(({ code }) => code))
  const isConfirmed = warnings.every(
    ({ code, requiresAcknowledgement }) => !requiresAcknowledgement || acknowledged.has(code)
  )
  const isGiven = consent.isGiven && isCovered && isConfirmed
  return { ...consent, digest, acknowledged, isGiven }
}

/** Identifies a change by what stands there before and after it. */
export const keyOfChange = ({ action, after, before }: ChangeDocument): string =>
  JSON.stringify([action, ...[before, after].map((record) => record && [record.name, record.type, record.value])])

/** The body of an approval of the displayed plan, with each confirmed warning that must be acknowledged. */
export const toApprovalBody = (connection: ConnectionDocument, { acknowledged }: ConsentDraft) => ({
  digest: connection.plan?.digest,
  acknowledge: warningsOf(connection)
    .filter(({ code, requiresAcknowledgement }) => requiresAcknowledgement && acknowledged.has(code))
    .map(({ code }) => code)
})

/** The approval fields of an authorization request, if the customer agreed to the displayed plan. */
export const toPreApprovalFields = (connection: ConnectionDocument, consent: ConsentDraft) => {
  const { acknowledge, digest } = toApprovalBody(connection, consent)
  return consent.isGiven && consent.digest === digest ? { approvedDigest: digest, acknowledge } : {}
}

/** Saves a draft in this browser: the visit to the provider leaves the page, and a setup by hand takes more than one visit. */
export const saveConsentDraft = (connectionId: string, { acknowledged, ...consent }: ConsentDraft): void => {
  const text = JSON.stringify({ ...consent, acknowledged: [...acknowledged] })
  withLocalStorage((storage) =>
    consent.seen.length > 0 || consent.isGiven
      ? storage.setItem(keyOf(connectionId), text)
      : storage.removeItem(keyOf(connectionId))
  )
}

/** The draft that was saved in this browser; `undefined` if there is none. */
export const loadConsentDraft = (connectionId: string): ConsentDraft | undefined => {
  const text = withLocalStorage((storage) => storage.getItem(keyOf(connectionId))) ?? null
  if (text === null) return undefined
  const { acknowledged, ...consent } = JSON.parse(text)
  return { ...createConsentDraft(), ...consent, acknowledged: new Set(acknowledged) }
}

const keyOf = (connectionId: string): string => `domain-connection:${connectionId}`
