import type { ConnectionState, FailureDocument } from "./ConnectionDocument.ts"
import { DomainConnectionElement } from "./domain-connection.ts"
import type { ReportedDiagnosis, Step } from "./eventDetails.ts"
import type { Words } from "./words/en.ts"

export type { ConnectionState, FailureCode, FailureDetail, FailureDocument } from "./ConnectionDocument.ts"
export type { ReportedDiagnosis, Step, Words }

/** `<domain-connection>`: leads a customer through one connection. Importing this module defines the element. */
export interface DomainConnection extends HTMLElement {
  /** The browser token of the connection. */
  token: string
  /** The address of the service, such as `https://connect.example`. A page that bundles the element has to set it. */
  baseUrl: string
  connectionId: string
  /** A language, such as `de`; by default the `lang` of the page. English where the element does not speak it. */
  locale: string
  /** `light` or `dark`; by default what the customer's device prefers. */
  theme: string
  /** Texts that replace those of the element. */
  words: Partial<Words>
  /** The name of who asks a helper for the changes; the page of the service sets it for a link of the customer. */
  sender: string | undefined

  addEventListener<K extends keyof DomainConnectionEventMap>(
    type: K,
    listener: (this: DomainConnection, event: DomainConnectionEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions
  ): void
  removeEventListener<K extends keyof DomainConnectionEventMap>(
    type: K,
    listener: (this: DomainConnection, event: DomainConnectionEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions
  ): void
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions
  ): void
}

/** The events of the element. Its own bubble out of all shadow trees. */
export interface DomainConnectionEventMap extends HTMLElementEventMap {
  /** The domain is connected, even if it already was when the page opened. */
  connected: CustomEvent<ConnectionDetail & { readonly state: "active" }>
  /** The connection failed. */
  failed: CustomEvent<ConnectionDetail & { readonly state: "failed"; readonly failure: FailureDocument }>
  /** The customer has typed a domain, and this is its connection: the page keeps its id, and gets its next tokens for it. */
  created: CustomEvent<ConnectionDetail>
  /** Another step is displayed; `reason` is why the customer left the one before, where that is known. */
  step: CustomEvent<ConnectionDetail & { readonly step: Step; readonly previous?: Step; readonly reason?: string }>
  /** The domain was connected, and records are missing by now. */
  degraded: CustomEvent<ConnectionDetail & { readonly state: "degraded" }>
  /** The records are removed again. */
  disconnected: CustomEvent<ConnectionDetail & { readonly state: "disconnected" }>
  /** Servers show something wrong in place of records that are entered by hand. */
  diagnosis: CustomEvent<ConnectionDetail & { readonly diagnoses: ReadonlyArray<ReportedDiagnosis> }>
  /** The customer has chosen another language, which the rest of the page may speak, too. */
  language: CustomEvent<{ readonly language: string }>
  /** The customer is done, or does not want to continue now: remove the element. */
  closed: CustomEvent<ConnectionDetail>
  /** The token is missing or expired: set another `token`, and the element continues. */
  "token-expired": CustomEvent<ConnectionDetail>
}

export interface ConnectionDetail {
  readonly connectionId: string
  /** `undefined` until the connection has been read. */
  readonly state: ConnectionState | undefined
}

declare global {
  interface HTMLElementTagNameMap {
    "domain-connection": DomainConnection
  }
}

/** The class of `<domain-connection>`. */
export const DomainConnection: { readonly prototype: DomainConnection; new (): DomainConnection } =
  DomainConnectionElement

if (customElements.get("domain-connection") === undefined)
  customElements.define("domain-connection", DomainConnectionElement)
