import type { Warning } from "../domain/Plan.ts"
import type { ConnectionDocument, ObservationsDocument } from "./documents.ts"
import type { Words } from "./words/en.ts"

/** What a step is drawn from, and what it can do. */
export interface View {
  readonly connection: ConnectionDocument
  readonly observations: ObservationsDocument | undefined
  readonly words: Words
  readonly locale: string
  /** Whether a command is on its way. */
  readonly busy: boolean
  readonly acknowledged: ReadonlySet<Warning>
  /** The fields of a credential that are not right. */
  readonly wrongFields: ReadonlySet<string>
  readonly taken: Taken | undefined
  /** In milliseconds since 1970. */
  readonly now: number
  readonly acts: Acts
}

/** The value that the customer wanted to copy last, and whether the browser let it be copied. */
export interface Taken {
  readonly id: string
  readonly how: "copied" | "marked"
}

/** What the customer can do. */
export interface Acts {
  readonly acknowledge: (warning: Warning, isKnown: boolean) => void
  readonly approve: () => void
  readonly goBack: () => void
  readonly letIn: (credential: { readonly [field: string]: string }) => void
  readonly openProvider: () => void
  readonly doByHand: () => void
  readonly wantOtherWay: () => void
  readonly recheck: () => void
  readonly retry: () => void
  readonly copy: (text: string, id: string) => void
  readonly download: () => void
  readonly close: () => void
}

/** A text with its places filled in: `{domain}`. */
export const fill = (text: string, values: { readonly [place: string]: string }): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, place: string) => values[place] ?? whole)
