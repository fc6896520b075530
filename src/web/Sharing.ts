import type { LitElement, TemplateResult } from "lit"
import type { ConnectionClient } from "./ConnectionClient.ts"
import { type ConnectionDocument, hasEnded } from "./ConnectionDocument.ts"
import type { QrCode } from "./qrCode.ts"
import type { ViewModel } from "./ViewModel.ts"
import { addSender, createShareLink, revokeShareLinks } from "./shareLink.ts"
import type { renderShare, LinkSharing } from "./steps/share.ts"
import { renderLoadingIndicator } from "./templates.ts"

/** The link that the customer sends to a helper: made when it is first needed, and kept while it opens the connection. */
export class Sharing implements LinkSharing {
  isOpen = false
  isRevoked = false
  sender = ""
  qrCode: QrCode | undefined
  readonly #host: LitElement
  readonly #request: (request: (client: ConnectionClient) => Promise<void>) => Promise<void>
  #link: string | undefined
  /** Identifies the connection of the link: a link of the one before may come late. */
  #place = {}
  #renderShare: typeof renderShare | undefined

  constructor(host: LitElement, request: (request: (client: ConnectionClient) => Promise<void>) => Promise<void>) {
    this.#host = host
    this.#request = request
  }

  /** The link with the name of the sender; `undefined` until it is made. */
  get link(): string | undefined {
    return this.#link && addSender(this.#link, this.sender)
  }

  /** Renders the step, by a script that is loaded when it is first opened. */
  render(view: ViewModel): TemplateResult {
    return this.#renderShare?.(this, view) ?? renderLoadingIndicator(view.words)
  }

  readonly open = (): void => {
    this.#set({ isOpen: true, isRevoked: false })
    this.#load().catch(() => this.close())
    if (this.#link !== undefined) return
    const place = this.#place
    void this.#request(async (client) => {
      const link = await createShareLink(client)
      if (place !== this.#place) return
      this.#link = link
      this.#set({})
    })
  }

  /** Another connection has links of its own. */
  reset(): void {
    this.#place = {}
    this.#link = undefined
    this.#set({ isOpen: false, isRevoked: false, sender: "", qrCode: undefined })
  }

  /** Closes the step in another state; the service opens no link to a connection that is active or has ended. */
  accept(connection: ConnectionDocument): void {
    if (connection.state === "active" || hasEnded(connection)) this.reset()
    else this.close()
  }

  async #load(): Promise<void> {
    this.#renderShare ??= (await import("./steps/share.ts")).renderShare
    this.#set({})
  }

  readonly close = (): void => this.#set({ isOpen: false })

  readonly setSender = (sender: string): void => this.#set({ sender, qrCode: undefined })

  readonly revoke = (): void => {
    const place = this.#place
    void this.#request(async (client) => {
      await revokeShareLinks(client)
      if (place !== this.#place) return
      this.#link = undefined
      this.#set({ isRevoked: true, qrCode: undefined })
    })
  }

  /** Draws the link as a QR code, by a script that is loaded now. */
  readonly showQrCode = async (): Promise<void> => {
    const { link } = this
    if (link === undefined) return
    const { makeQrCode } = await import("./qrCode.ts")
    if (link === this.link) this.#set({ qrCode: makeQrCode(link) })
  }

  #set(change: Partial<Pick<Sharing, "isOpen" | "isRevoked" | "sender" | "qrCode">>): void {
    Object.assign(this, change)
    this.#host.requestUpdate()
  }
}
