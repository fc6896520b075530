import { Context, Layer, Option } from "effect"

/** The URL under which customers' browsers reach this service; OAuth providers redirect them back to it. */
export class PublicUrl extends Context.Tag("http/PublicUrl")<
  PublicUrl,
  {
    readonly of: (path: string) => string
    /** The path under which a browser finds a path of this service. */
    readonly pathOf: (path: string) => string
    /** A reference to a path of this service: absolute if a URL is configured, else relative to the request. */
    readonly referTo: (path: string) => string
    /** Whether browsers connect by TLS. */
    readonly isSecure: boolean
    /** The host, with a port that is not the default, that browsers name; none if no URL is configured. */
    readonly publicHost: Option.Option<string>
  }
>() {
  /** The configured URL, else that of the host and port on which the service listens. */
  static readonly layer = (settings: {
    readonly publicUrl: Option.Option<string>
    readonly host: string
    readonly port: number
    /** The path below which browsers find all paths of this service, if it is not the root. */
    readonly mountPath?: string
  }) =>
    Layer.sync(PublicUrl, () => {
      const { mountPath = "" } = settings
      const base = Option.getOrElse(
        settings.publicUrl,
        () => `http://${formatHostInUrl(settings.host)}:${settings.port}`
      )
      return {
        of: (path) => base + mountPath + path,
        pathOf: (path) => mountPath + path,
        referTo: (path) => Option.getOrElse(settings.publicUrl, () => "") + mountPath + path,
        isSecure: base.startsWith("https:"),
        publicHost: Option.map(settings.publicUrl, (url) => new URL(url).host)
      }
    })
}

/** The two pages of OAuth: the first redirects the customer's browser to the provider, the second receives it back. */
export const oauthPaths = { start: "/v1/oauth/start", callback: "/v1/oauth/callback" } as const

/** Below it are the pages of the provider of test mode that takes part in Domain Connect, apart for each tenant. */
export const testDomainConnectPath = "/v1/test/domain-connect"

/** The page that explains every error code. */
export const errorsPath = "/docs/errors"

/** A host as it is written in a URL; the wildcard addresses, to which no browser can connect, become `localhost`. */
const formatHostInUrl = (host: string): string =>
  ["0.0.0.0", "::"].includes(host) ? "localhost" : host.includes(":") ? `[${host}]` : host
