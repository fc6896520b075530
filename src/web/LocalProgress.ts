import type { LitElement } from "lit"
import { type ConnectionDocument, lastCheckOf, type ObservationsDocument } from "./ConnectionDocument.ts"
import { isAwaitingConsent } from "./ConsentDraft.ts"
import type { ByHandProgress, ViewModel } from "./ViewModel.ts"

/** Holds how far the customer is on this page, as the service does not know it. */
export class LocalProgress {
  byHand: ByHandProgress = firstScreen
  entered: ViewModel["entered"] = {}
  /** Whether the customer wants another way than the one in progress. */
  wantsOtherMethod = false
  readonly #host: LitElement
  readonly #observations: () => ObservationsDocument | undefined

  constructor(host: LitElement, observations: () => ObservationsDocument | undefined) {
    this.#host = host
    this.#observations = observations
  }

  /** Another connection begins at the beginning. */
  reset(): void {
    this.update({ byHand: firstScreen, entered: {}, wantsOtherMethod: false })
  }

  /** Drops what belonged to the state before. */
  accept(connection: ConnectionDocument, before: ConnectionDocument | undefined): void {
    const isByHandStill = ["awaiting_manual", "verifying"].includes(before?.state ?? "")
    this.update({
      wantsOtherMethod: false,
      ...(isByHandStill ? {} : { byHand: firstScreen }),
      ...(isAwaitingConsent(connection) ? {} : { entered: {} })
    })
  }

  showTask(task: string | undefined): void {
    this.update({ byHand: { ...this.byHand, task, checkedBefore: undefined } })
  }

  /** The customer has saved a task, or wants a check of everything. */
  markSaved(task: string | undefined): void {
    const before = this.byHand.saved
    const saved = task === undefined ? before : new Set([...before, task])
    const isAgain = saved.size === before.size
    this.update({ byHand: { ...this.byHand, checkedBefore: lastCheckOf(this.#observations()), saved, isAgain } })
  }

  update(change: Partial<Pick<LocalProgress, "byHand" | "entered" | "wantsOtherMethod">>): void {
    Object.assign(this, change)
    this.#host.requestUpdate()
  }
}

/** The first screen of a setup by hand. */
const firstScreen: ByHandProgress = { task: undefined, checkedBefore: undefined, saved: new Set(), isAgain: false }
