import type { Warning } from "../domain/plan/Warning.ts"
import { type ChangeDocument, type ConnectionDocument, warningsOf } from "./ConnectionDocument.ts"
import { withLocalStorage } from "./browserStorage.ts"

/** The consent that the customer has given on this page to one plan. */
export interface ConsentDraft {
  readonly digest: string | undefined
  /** The changes that the customer has looked at; none before the first plan. */
  readonly seen: ReadonlyArray<ChangeDocument>
  /** The warnings that the customer has confirmed. */
  readonly acknowledged: ReadonlySet<Warning>
  /** Whether the customer gets mail at a domain without a mail server of its own; `undefined` until it is answered. */
  readonly getsMail?: boolean | undefined
  readonly isGiven: boolean
}

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
 * but for the entry that proves the domain; else what was confirmed stays for changes that are still the same.
 */
export const carryConsent = (consent: ConsentDraft, connection: ConnectionDocument): ConsentDraft => {
  const { control, plan } = connection
  const changes = plan?.changes ?? []
  const seen = new Set(consent.seen.map(keyOfChange))
  const isSeen = (change: ChangeDocument | undefined) => change !== undefined && seen.has(keyOfChange(change))
  const isCovered = changes.every(
    (change) => isSeen(change) || (change.after !== undefined && change.after.value === control?.challenge?.value)
  )
  const isSame = plan?.digest === consent.digest
  if (isSame || isCovered) return { ...consent, digest: plan?.digest, isGiven: consent.isGiven && plan !== undefined }
  const acknowledged = warningsOf(connection).flatMap(({ changes: places, code }) =>
    consent.acknowledged.has(code) && places.length > 0 && places.every((place) => isSeen(changes[place])) ? [code] : []
  )
  return { ...consent, digest: plan?.digest, acknowledged: new Set(acknowledged), isGiven: false }
}

/** Whether the customer has seen another list before, which did not have this change. */
export const isNewSince = ({ seen }: ConsentDraft, change: ChangeDocument): boolean =>
  seen.length > 0 && seen.every((known) => keyOfChange(known) !== keyOfChange(change))

const keyOfChange = ({ action, after, before }: ChangeDocument): string =>
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
