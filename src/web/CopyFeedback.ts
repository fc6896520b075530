import type { LitElement } from "lit"
import type { CopyResult } from "./ViewModel.ts"

/** Copies texts of an element, and keeps the result of the last copy; a success is shown for two seconds. */
export class CopyFeedback {
  result: CopyResult | undefined
  readonly #host: LitElement

  constructor(host: LitElement) {
    this.#host = host
  }

  async copy(text: string, id: string): Promise<void> {
    const element = this.#host.renderRoot.querySelector(`[id="label-${id}"] + dd code`)
    const result: CopyResult = { id, outcome: await copyOrSelect(text, element) }
    this.#show(result)
    if (result.outcome === "copied")
      setTimeout(() => {
        if (this.result === result) this.#show(undefined)
      }, 2_000)
  }

  #show(result: CopyResult | undefined): void {
    this.result = result
    this.#host.requestUpdate()
  }
}

/** Copies a text to the clipboard; where the browser refuses, selects the element that shows the text. */
const copyOrSelect = async (text: string, element: Element | null | undefined): Promise<"copied" | "marked"> => {
  try {
    await navigator.clipboard.writeText(text)
    return "copied"
  } catch {
    if (element) getSelection()?.selectAllChildren(element)
    return "marked"
  }
}
