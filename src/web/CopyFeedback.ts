import type { LitElement } from "lit"
import type { CopyResult } from "./ViewModel.ts"

/** Copies texts of an element, and keeps the result of the last copy. */
export class CopyFeedback {
  /** Shown beside the value: a success for two seconds, a text that is marked until another screen is shown. */
  result: CopyResult | undefined
  /** Announced for some seconds; after that, screen readers hear of the step again. */
  announced: CopyResult | undefined
  readonly #host: LitElement

  constructor(host: LitElement) {
    this.#host = host
  }

  async copy(text: string, id: string): Promise<void> {
    const element = this.#host.renderRoot.querySelector(`#value-${id}`)
    const result: CopyResult = { id, outcome: await copyOrSelect(text, element) }
    this.#show(result, result)
    const isCopied = result.outcome === "copied"
    setTimeout(
      () => {
        if (this.announced === result) this.#show(isCopied ? undefined : result, undefined)
      },
      isCopied ? 2_000 : 6_000
    )
  }

  /** Another screen has other values. */
  clear(): void {
    this.#show(undefined, undefined)
  }

  #show(result: CopyResult | undefined, announced: CopyResult | undefined): void {
    this.result = result
    this.announced = announced
    this.#host.requestUpdate()
  }
}

/** Copies a text to the clipboard; where the browser refuses, unfolds and selects the element that shows the text. */
const copyOrSelect = async (text: string, element: Element | null | undefined): Promise<"copied" | "marked"> => {
  try {
    await navigator.clipboard.writeText(text)
    return "copied"
  } catch {
    element?.closest("details")?.toggleAttribute("open", true)
    if (element) getSelection()?.selectAllChildren(element)
    return "marked"
  }
}
