import type { LitElement } from "lit"
import type { DomainConnection } from "../../../src/web/connect.ts"
import type { DomainConnectionElement } from "../../../src/web/domain-connection.ts"

/** Compiles only while what the package declares is what the element has: `bun run check` compiles it. */
type IsSameType<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type EventMethods = "addEventListener" | "removeEventListener"
type DeclaredProperties = Omit<DomainConnection, keyof HTMLElement | EventMethods>
type Properties = Omit<DomainConnectionElement, keyof LitElement>

export const declarationsAgree: {
  readonly properties: IsSameType<keyof DeclaredProperties, keyof Properties>
  readonly types: IsSameType<DeclaredProperties, Properties>
  readonly element: DomainConnectionElement extends HTMLElement ? true : false
} = { properties: true, types: true, element: true }
