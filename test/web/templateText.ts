import { readDocument } from "./recordedDocuments.ts"
import type { ViewModel } from "../../src/web/ViewModel.ts"
import { en } from "../../src/web/words/en.ts"

/** The text that a template shows, without its tags. */
export const textOf = (rendered: unknown): string =>
  markupOf(rendered)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

const markupOf = (rendered: any): string => {
  if (typeof rendered === "string" || typeof rendered === "number") return `${rendered}`
  if (Array.isArray(rendered)) return rendered.map(markupOf).join("")
  if (rendered?.strings === undefined) return ""
  const { strings, values } = rendered
  return strings.map((text: string, index: number) => text + markupOf(values[index])).join("")
}

/** What the component renders of a recorded document, in English. */
export const viewOf = (name: string, change: Partial<ViewModel> = {}): ViewModel => ({
  ...readDocument(name),
  platform: {},
  words: en,
  locale: "en",
  isHelper: false,
  isBusy: false,
  consent: { digest: undefined, seen: [], acknowledged: new Set(), isGiven: true },
  isIncomplete: false,
  entered: {},
  invalidFields: new Set(),
  copyResult: undefined,
  byHand: { task: undefined, checkedBefore: undefined, saved: new Set(), isAgain: false },
  now: 0,
  actions: ignored,
  ...change
})

const ignore = () => {}

const ignored: ViewModel["actions"] = {
  acknowledge: ignore,
  answerMail: ignore,
  approve: ignore,
  markIncomplete: ignore,
  goBack: ignore,
  authorizeWithCredential: ignore,
  startOAuth: ignore,
  startDomainConnect: ignore,
  chooseManual: ignore,
  selectProvider: ignore,
  chooseOtherMethod: ignore,
  showTask: ignore,
  recheck: ignore,
  retry: ignore,
  copy: ignore,
  download: ignore,
  share: ignore,
  close: ignore
}
