import type { Warning } from "../domain/plan/Warning.ts"
import type { ConnectionDocument, ObservationsDocument, PlatformDocument } from "./ConnectionDocument.ts"
import type { Words } from "./words/en.ts"

/** The data and the actions from which a step is rendered. */
export interface ViewModel {
  readonly connection: ConnectionDocument
  readonly observations: ObservationsDocument | undefined
  readonly platform: PlatformDocument
  readonly words: Words
  readonly locale: string
  /** Whether a request is in flight. */
  readonly isBusy: boolean
  readonly acknowledged: ReadonlySet<Warning>
  /** The credential fields that the service rejected. */
  readonly invalidFields: ReadonlySet<string>
  readonly copyResult: CopyResult | undefined
  /** In milliseconds since 1970. */
  readonly now: number
  readonly actions: ViewActions
}

/** The value that the customer copied last; `marked`: the browser refused, and the text was selected instead. */
export interface CopyResult {
  readonly id: string
  readonly outcome: "copied" | "marked"
}

/** The actions of the customer. */
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

/** Replaces each `{name}` in a text by its value. */
export const interpolate = (text: string, values: { readonly [name: string]: string }): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
