import type { Warning } from "../domain/Plan.ts"
import type { ConnectionDocument, ObservationsDocument } from "./ConnectionDocument.ts"
import type { Words } from "./words/en.ts"

/** What a step is drawn from, and what it can do. */
export interface ViewModel {
  readonly connection: ConnectionDocument
  readonly observations: ObservationsDocument | undefined
  readonly words: Words
  readonly locale: string
  /** Whether a command is on its way. */
  readonly isBusy: boolean
  readonly acknowledged: ReadonlySet<Warning>
  /** The fields of a credential that are not right. */
  readonly invalidFields: ReadonlySet<string>
  readonly copyResult: CopyResult | undefined
  /** In milliseconds since 1970. */
  readonly now: number
  readonly actions: ViewActions
}

/** The value that the customer wanted to copy last, and whether the browser let it be copied. */
export interface CopyResult {
  readonly id: string
  readonly outcome: "copied" | "marked"
}

/** What the customer can do. */
export interface ViewActions {
  readonly acknowledge: (warning: Warning, isKnown: boolean) => void
  readonly approve: () => void
  readonly goBack: () => void
  readonly authorizeWithCredential: (credential: { readonly [field: string]: string }) => void
  readonly startOAuth: () => void
  readonly chooseManual: () => void
  readonly chooseOtherMethod: () => void
  readonly recheck: () => void
  readonly retry: () => void
  readonly copy: (text: string, id: string) => void
  readonly download: () => void
  readonly close: () => void
}

/** A text with its places filled in: `{domain}`. */
export const interpolate = (text: string, values: { readonly [place: string]: string }): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, place: string) => values[place] ?? whole)
