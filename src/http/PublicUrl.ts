import { Context, Layer, Option } from "effect"

/** Where customers' browsers reach this service: what providers send them back to follows from it. */
export class PublicUrl extends Context.Tag("http/PublicUrl")<
  PublicUrl,
  {
    /** The address of a path of this service. */
    readonly of: (path: string) => string
    /** Whether browsers come by TLS. */
    readonly isSecure: boolean
  }
>() {
  /** The configured address, else that of the port that is listened on. */
  static readonly layer = (settings: {
    readonly publicUrl: Option.Option<string>
    readonly host: string
    readonly port: number
  }) =>
    Layer.sync(PublicUrl, () => {
      const base = Option.getOrElse(settings.publicUrl, () => `http://${inUrl(settings.host)}:${settings.port}`)
      return { of: (path) => base + path, isSecure: base.startsWith("https:") }
    })
}

/** Nobody can go to the address that stands for all of a machine's. */
const inUrl = (host: string): string =>
  ["0.0.0.0", "::"].includes(host) ? "localhost" : host.includes(":") ? `[${host}]` : host
