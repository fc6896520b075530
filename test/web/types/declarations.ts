import type { LitElement } from "lit"
import type { ConnectionDocument } from "../../../src/web/ConnectionDocument.ts"
import type * as Declared from "../../../src/web/connect.d.ts"
import type { DomainConnection } from "../../../src/web/domain-connection.ts"

/** Compiles only while what the package declares is what the element has: `bun run check` compiles it. */
type IsSameType<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type EventMethods = "addEventListener" | "removeEventListener"
type DeclaredProperties = Omit<Declared.DomainConnection, keyof HTMLElement | EventMethods>
type Properties = Omit<DomainConnection, keyof LitElement>

export const declarationsAgree: {
  readonly properties: IsSameType<keyof DeclaredProperties, keyof Properties>
  readonly types: IsSameType<DeclaredProperties, Properties>
  readonly states: IsSameType<Declared.ConnectionState, ConnectionDocument["state"]>
  readonly failure: IsSameType<Declared.Failure, NonNullable<ConnectionDocument["failure"]>>
  readonly element: DomainConnection extends HTMLElement ? true : false
} = { properties: true, types: true, states: true, failure: true, element: true }
