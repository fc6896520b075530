import type { LitElement } from "lit"
import type { Warning } from "../domain/plan/Warning.ts"
import { type ConnectionDocument, warningsOf } from "./ConnectionDocument.ts"
import {
  carryConsent,
  type ConsentDraft,
  createConsentDraft,
  isAwaitingConsent,
  listSeenChanges,
  loadConsentDraft,
  saveConsentDraft
} from "./ConsentDraft.ts"

/** Holds the consent of the customer to the displayed plan, and saves it in this browser. */
export class PlanConsent {
  draft: ConsentDraft = createConsentDraft()
  readonly #host: LitElement & { readonly connectionId: string }
  /** Whether nobody has decided anything in this browser. */
  #isUntouched = true

  constructor(host: LitElement & { readonly connectionId: string }) {
    this.#host = host
  }

  load(): void {
    const saved = loadConsentDraft(this.#host.connectionId)
    this.#isUntouched = saved === undefined
    this.draft = saved ?? createConsentDraft()
  }

  /**
   * Goes on with a setup by hand that has begun in another browser: who made some of its changes agreed to them there.
   * What has to be confirmed is asked here, too: a helper may have made them.
   */
  resume(connection: ConnectionDocument, hasBegun: boolean): void {
    const isConfirmed = warningsOf(connection).every(({ requiresAcknowledgement }) => !requiresAcknowledgement)
    if (hasBegun && isConfirmed && this.#isUntouched) this.update({ isGiven: true })
  }

  /** Carries the consent over to what counts now; whether the customer had agreed, and has to look once more. */
  accept(connection: ConnectionDocument, before: ConnectionDocument | undefined): boolean {
    const hadAgreed = this.draft.isGiven
    const isOtherWay = before !== undefined && before.direction !== connection.direction
    const carried =
      isOtherWay || !isAwaitingConsent(connection) ? createConsentDraft() : carryConsent(this.draft, connection)
    const changes = isAwaitingConsent(connection) ? listSeenChanges(connection) : []
    this.#set({ ...carried, seen: carried.seen.length > 0 ? carried.seen : changes })
    return hadAgreed && !this.draft.isGiven && connection.state.startsWith("awaiting_")
  }

  update(change: Partial<ConsentDraft>): void {
    this.#isUntouched = false
    this.#set(change)
  }

  #set(change: Partial<ConsentDraft>): void {
    this.draft = { ...this.draft, ...change }
    saveConsentDraft(this.#host.connectionId, this.draft)
    this.#host.requestUpdate()
  }

  acknowledge(warning: Warning, isKnown: boolean): void {
    const others = [...this.draft.acknowledged].filter((known) => known !== warning)
    this.update({ acknowledged: new Set(isKnown ? [...others, warning] : others) })
  }
}
