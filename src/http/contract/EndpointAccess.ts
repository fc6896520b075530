import { Context } from "effect"
import type { KeyScope } from "../../domain/Tenancy.ts"

/** Who may call an endpoint: API keys with this scope and, if `allowsBrowsers`, the browser token of the connection. */
export interface AccessRule {
  readonly scope: KeyScope
  readonly allowsBrowsers: boolean
}

/** The annotation by which an endpoint declares its access rule; `RouteTable` reads it. */
export class EndpointAccess extends Context.Tag("http/EndpointAccess")<EndpointAccess, AccessRule>() {}

/** Allows API keys with this scope. */
export const allowServers = (scope: KeyScope): AccessRule => ({ scope, allowsBrowsers: false })

/** Allows API keys with this scope, and the browser token of the connection. */
export const allowServersAndBrowsers = (scope: KeyScope): AccessRule => ({ scope, allowsBrowsers: true })
