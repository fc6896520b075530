import type { Words } from "./words/en.js"

/** `<domain-connection>`: leads a customer through one connection. Importing this module defines the element. */
export declare class DomainConnection extends HTMLElement {
  /** The browser token of the connection. */
  token: string
  /** Where the service is, such as `https://connect.example`. A page that bundles the element has to set it. */
  baseUrl: string
  connectionId: string
  /** `en` or `de`; by default the `lang` of the page. */
  locale: string
  /** `light` or `dark`; by default what the customer's device prefers. */
  theme: string
  /** Texts that replace those of the element. */
  words: Partial<Words>

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
  failed: CustomEvent<ConnectionDetail & { readonly state: "failed"; readonly failure: Failure }>
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

export type ConnectionState =
  | "requested"
  | "awaiting_authorization"
  | "authorizing"
  | "authorized"
  | "planned"
  | "applying"
  | "awaiting_manual"
  | "verifying"
  | "active"
  | "degraded"
  | "failed"
  | "disconnecting"
  | "expired"
  | "canceled"
  | "disconnected"

/** Why a connection failed, and whether trying again can help. */
export interface Failure {
  readonly code: FailureCode
  readonly retryable: boolean
  readonly resumeState?: ConnectionState
  readonly occurredAt: string
  /** A sentence for people. */
  readonly message: string
  /** What was asked and answered, where that is known. */
  readonly details?: ReadonlyArray<FailureDetail>
}

export interface FailureDetail {
  readonly message: string
  readonly server?: string
  readonly host?: string
  readonly type?: string
  readonly expected?: string
  readonly answer?: string
}

export type FailureCode = keyof Words["failures"]

export type { Words }

declare global {
  interface HTMLElementTagNameMap {
    "domain-connection": DomainConnection
  }
}
