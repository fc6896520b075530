import type { Warning } from "../domain/plan/Warning.ts"
import type { ConnectionDocument, ObservationsDocument, PlatformDocument } from "./ConnectionDocument.ts"
import type { ConsentDraft } from "./ConsentDraft.ts"
import type { Words } from "./words/en.ts"

/** The data and the actions from which a step is rendered. */
export interface ViewModel {
  readonly connection: ConnectionDocument
  readonly observations: ObservationsDocument | undefined
  readonly platform: PlatformDocument
  readonly words: Words
  readonly locale: string
  /** Whether the page is open to somebody who helps the customer, and decides nothing. */
  readonly isHelper: boolean
  /** Whether a request is in flight. */
  readonly isBusy: boolean
  readonly consent: ConsentDraft
  /** Whether the customer tried to go on without what this step requires. */
  readonly isIncomplete: boolean
  /** What was entered into the fields of a key on this page; kept in memory only, until the service is let in. */
  readonly entered: { readonly [field: string]: string }
  /** The credential fields that the service rejected. */
  readonly invalidFields: ReadonlySet<string>
  readonly copyResult: CopyResult | undefined
  readonly byHand: ByHandProgress
  /** In milliseconds since 1970. */
  readonly now: number
  readonly actions: ViewActions
}

/** How far the customer is with the tasks of a setup by hand. */
export interface ByHandProgress {
  /** The key of the displayed task, or `end` after the last; `undefined` at the start, where the provider is opened. */
  readonly task: string | undefined
  /** When the servers had been asked last, as the customer asked for a check; `undefined` before that. */
  readonly checkedBefore: string | undefined
  /** The tasks that the customer has saved at the provider, by their keys: the list may still change. */
  readonly saved: ReadonlySet<string>
  /** Whether the last check was of a task that the customer had saved before, and may have corrected since. */
  readonly isAgain: boolean
}

/** The value that the customer copied last; `marked`: the browser refused, and the text was selected instead. */
export interface CopyResult {
  readonly id: string
  readonly outcome: "copied" | "marked"
}

/** The actions of the customer. */
export interface ViewActions {
  readonly acknowledge: (warning: Warning, isKnown: boolean) => void
  readonly answerMail: (getsMail: boolean) => void
  readonly approve: () => void
  /** The customer wants to go on, and something is missing: every missing thing is marked. */
  readonly markIncomplete: () => void
  readonly goBack: () => void
  readonly authorizeWithCredential: (credential: { readonly [field: string]: string }) => void
  readonly startOAuth: () => void
  readonly startDomainConnect: () => void
  readonly chooseManual: () => void
  /** The customer says who runs the zone: a candidate by its id, or `unknown`. */
  readonly selectProvider: (id: string) => void
  readonly chooseOtherMethod: () => void
  /** Shows a task of a setup by hand; `undefined` is the start. */
  readonly showTask: (task: string | undefined) => void
  /** Asks for a check of what the customer has saved; without a task, of everything. */
  readonly recheck: (savedTask?: string) => void
  readonly retry: () => void
  readonly copy: (text: string, id: string) => void
  readonly download: () => void
  /** Makes a link for somebody who does it for the customer. */
  readonly share: () => void
  readonly close: () => void
}

/**
 * The form of a text for a number of things: a language may have one for a few of them and another for more, as
 * `few | more`.
 */
export const interpolateCount = (
  text: string,
  count: number,
  { locale, values }: { readonly locale: string; readonly values: { readonly [name: string]: string } }
): string => {
  const [few = text, more = few] = text.split(" | ")
  const isFew = ["two", "few"].includes(new Intl.PluralRules(locale).select(count))
  return interpolate(isFew ? few : more, { ...values, count: `${count}` })
}

/**
 * Replaces each `{name}` in a text by its value. A text from right to left isolates its values (UAX 9), which else would
 * be torn apart: most are names and numbers from left to right.
 */
export const interpolate = (text: string, values: { readonly [name: string]: string }): string => {
  const [before, after] = rightToLeft.test(text) ? ["\u2068", "\u2069"] : ["", ""]
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name]
    return value === undefined ? placeholder : before + value + after
  })
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
