import type { Warning } from "../domain/plan/Warning.ts"
import { type ConnectionDocument, warningsOf } from "./ConnectionDocument.ts"

/** The consent that the customer has given on this page to one plan, before the service is authorized. */
export interface ConsentDraft {
  readonly digest: string | undefined
  /** The warnings that the customer has confirmed. */
  readonly acknowledged: ReadonlySet<Warning>
  readonly isGiven: boolean
}

/** A draft for a plan to which the customer has not agreed yet. */
export const createConsentDraft = (digest?: string): ConsentDraft => ({
  digest,
  acknowledged: new Set(),
  isGiven: false
})

/** Whether the service still waits for authorization: a draft counts until then. */
export const isAwaitingConsent = ({ state }: ConnectionDocument): boolean =>
  ["awaiting_authorization", "authorizing", "awaiting_manual"].includes(state)

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

/** Saves a draft for this tab: the visit to the provider leaves the page. */
export const saveConsentDraft = (connectionId: string, { acknowledged, ...consent }: ConsentDraft): void => {
  const text = JSON.stringify({ ...consent, acknowledged: [...acknowledged] })
  withStorage((storage) =>
    consent.isGiven ? storage.setItem(keyOf(connectionId), text) : storage.removeItem(keyOf(connectionId))
  )
}

export const loadConsentDraft = (connectionId: string): ConsentDraft => {
  const text = withStorage((storage) => storage.getItem(keyOf(connectionId))) ?? null
  if (text === null) return createConsentDraft()
  const { acknowledged, ...consent } = JSON.parse(text)
  return { ...consent, acknowledged: new Set(acknowledged) }
}

const keyOf = (connectionId: string): string => `domain-connection:${connectionId}`

/** A page in a frame may have no access to storage. */
const withStorage = <A>(use: (storage: Storage) => A): A | undefined => {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
