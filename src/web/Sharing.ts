import type { LitElement } from "lit"
import type { ConnectionClient } from "./ConnectionClient.ts"
import type { QrCode } from "./qrCode.ts"
import { addSender, createShareLink, revokeShareLinks } from "./shareLink.ts"

/** The link that the customer sends to a helper: made when it is first needed, and kept until it is revoked. */
export class Sharing {
  isOpen = false
  isRevoked = false
  sender = ""
  qrCode: QrCode | undefined
  readonly #host: LitElement
  readonly #request: (request: (client: ConnectionClient) => Promise<void>) => Promise<void>
  #link: string | undefined

  constructor(host: LitElement, request: (request: (client: ConnectionClient) => Promise<void>) => Promise<void>) {
    this.#host = host
    this.#request = request
  }

  /** The link with the name of the sender; `undefined` until it is made. */
  get link(): string | undefined {
    return this.#link && addSender(this.#link, this.sender)
  }

  readonly open = (): void => {
    this.#set({ isOpen: true, isRevoked: false })
    if (this.#link !== undefined) return
    void this.#request(async (client) => {
      this.#link = await createShareLink(client)
      this.#set({})
    })
  }

  readonly close = (): void => this.#set({ isOpen: false })

  readonly setSender = (sender: string): void => this.#set({ sender, qrCode: undefined })

  readonly revoke = (): void =>
    void this.#request(async (client) => {
      await revokeShareLinks(client)
      this.#link = undefined
      this.#set({ isRevoked: true, qrCode: undefined })
    })

  /** Draws the link as a QR code, by a script that is loaded now. */
  readonly showQrCode = async (): Promise<void> => {
    const { link } = this
    if (link === undefined) return
    const { makeQrCode } = await import("./qrCode.ts")
    this.#set({ qrCode: makeQrCode(link) })
  }

  #set(change: Partial<Pick<Sharing, "isOpen" | "isRevoked" | "sender" | "qrCode">>): void {
    Object.assign(this, change)
    this.#host.requestUpdate()
  }
}
