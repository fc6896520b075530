import type { Warning } from "../domain/Plan.ts"
import { blockingWarnings } from "../domain/blockingWarnings.ts"
import type { ConnectionDocument } from "./ConnectionDocument.ts"

/** What the customer has said to one plan before the service is let in. */
export interface ConsentDraft {
  readonly digest: string | undefined
  /** The consequences that the customer knows of. */
  readonly acknowledged: ReadonlySet<Warning>
  readonly isGiven: boolean
}

/** A plan about which nothing has been said yet. */
export const emptyConsentDraft = (digest?: string): ConsentDraft => ({
  digest,
  acknowledged: new Set(),
  isGiven: false
})

/** Whether the service is still to be let in: what was said counts until then. */
export const isAwaitingConsent = ({ state }: ConnectionDocument): boolean =>
  ["awaiting_authorization", "authorizing", "awaiting_manual"].includes(state)

/** An approval of the plan that is shown, with every grave consequence that is known. */
export const approvalBody = ({ plan }: ConnectionDocument, { acknowledged }: ConsentDraft) => ({
  digest: plan?.digest,
  acknowledge: (plan?.warnings ?? []).filter((warning) => blockingWarnings.has(warning) && acknowledged.has(warning))
})

/** The same to go ahead with an authorization, if the customer agreed to that plan. */
export const preApprovalFields = (connection: ConnectionDocument, consent: ConsentDraft) => {
  const { acknowledge, digest } = approvalBody(connection, consent)
  return consent.isGiven && consent.digest === digest ? { approvedDigest: digest, acknowledge } : {}
}

/** Keeps a consent for this tab: on the way to the provider and back the page is left. */
export const saveConsentDraft = (connectionId: string, { acknowledged, ...consent }: ConsentDraft): void => {
  const text = JSON.stringify({ ...consent, acknowledged: [...acknowledged] })
  withStorage((storage) =>
    consent.isGiven ? storage.setItem(keyOf(connectionId), text) : storage.removeItem(keyOf(connectionId))
  )
}

export const loadConsentDraft = (connectionId: string): ConsentDraft => {
  const text = withStorage((storage) => storage.getItem(keyOf(connectionId))) ?? null
  if (text === null) return emptyConsentDraft()
  const { acknowledged, ...consent } = JSON.parse(text)
  return { ...consent, acknowledged: new Set(acknowledged) }
}

const keyOf = (connectionId: string): string => `domain-connection:${connectionId}`

/** A page in a frame may have no storage. */
const withStorage = <A>(use: (storage: Storage) => A): A | undefined => {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
