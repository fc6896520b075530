import type { HttpClient } from "@effect/platform"
import { Data, Either, Match, Option, ParseResult, Schema } from "effect"
import { parseTarget } from "../domain/DomainName.ts"
import { Capabilities, Provider } from "../domain/Provider.ts"
import type { ProviderClient } from "./ProviderClient.ts"
import { PowerDnsSettings } from "./adapters/powerdns/PowerDnsApi.ts"
import { makePowerDnsClient, powerDnsCapabilities } from "./adapters/powerdns/makePowerDnsClient.ts"
import { makeRfc2136Client, rfc2136Capabilities, Rfc2136Settings } from "./adapters/rfc2136/makeRfc2136Client.ts"
import { catalog, type CatalogEntry } from "./catalog/catalog.ts"
import { makeOAuthClient, type OAuthClient } from "./oauth/OAuthClient.ts"
import { OAuthSettings } from "./oauth/OAuthSettings.ts"

/** An operator's own DNS servers: a provider like those of the catalogue, and the way to write to it. */
export interface DeclaredProvider extends CatalogEntry {
  readonly client: ProviderClient
  /** Where customers can agree to be written for, if the operator has registered a client there. */
  readonly oauth: Option.Option<OAuthClient>
}

/** The text is no list of an operator's own DNS servers; each issue says where and why. */
export class ProvidersFileInvalid extends Data.TaggedError("ProvidersFileInvalid")<{
  readonly issues: ReadonlyArray<string>
}> {
  override get message(): string {
    return this.issues.join("; ")
  }
}

/** Reads what `PROVIDERS_FILE` holds: a JSON array of providers, whose calls over HTTP are made by `http`. */
export const parseProvidersFile = (
  text: string,
  http: HttpClient.HttpClient
): Either.Either<ReadonlyArray<DeclaredProvider>, ProvidersFileInvalid> =>
  Either.mapBoth(decode(text), {
    onLeft: (error) =>
      new ProvidersFileInvalid({ issues: ParseResult.ArrayFormatter.formatErrorSync(error).map(inWords) }),
    onRight: (declarations) => declarations.map((declaration) => providerOf(declaration, http))
  })

const inWords = ({ message, path }: ParseResult.ArrayFormatterIssue): string =>
  path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`

const NameServerSuffix = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) =>
    Either.mapLeft(parseTarget(text), ({ message }) => new ParseResult.Type(ast, text, message)),
  encode: ParseResult.succeed
})

/** It is shown to customers as a link. */
const PageUrl = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (/^https:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?$/.test(text) && URL.canParse(text)) ||
      "must be an https URL without user and password"
  )
)

const common = {
  id: Schema.String.pipe(
    Schema.filter((id) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(id) || "must be a lower-case word like acme-dns"),
    Schema.filter((id) => !taken.has(id) || "is the id of a provider in the catalogue")
  ),
  name: Schema.NonEmptyString,
  referenceUrl: Schema.optionalWith(PageUrl, { exact: true }),
  nameServers: Schema.NonEmptyArray(NameServerSuffix),
  capabilities: Schema.optionalWith(Schema.partialWith(Capabilities, { exact: true }), { default: () => ({}) })
}

const taken: ReadonlySet<string> = new Set(["unknown", ...catalog.map(({ provider }) => provider.id)])

const Declaration = Schema.Union(
  Schema.Struct({
    ...common,
    adapter: Schema.Literal("powerdns"),
    settings: PowerDnsSettings,
    oauth: Schema.optionalWith(OAuthSettings, { exact: true })
  }),
  Schema.Struct({ ...common, adapter: Schema.Literal("rfc2136"), settings: Rfc2136Settings })
)
type Declaration = typeof Declaration.Type

const unique = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<Schema.FilterIssue> =>
  declarations.flatMap((one, index) =>
    declarations
      .slice(0, index)
      .flatMap((other, earlier) => [
        ...(one.id === other.id ? [{ path: [index, "id"], message: `is the id of ${earlier} too` }] : []),
        ...(one.nameServers.some((suffix) => other.nameServers.includes(suffix))
          ? [{ path: [index, "nameServers"], message: `name servers of ${earlier} too` }]
          : [])
      ])
  )

const decode = Schema.decodeUnknownEither(Schema.parseJson(Schema.Array(Declaration).pipe(Schema.filter(unique))), {
  errors: "all",
  onExcessProperty: "error"
})

const adapterOf = (declaration: Declaration, http: HttpClient.HttpClient): ProviderClient =>
  Match.value(declaration).pipe(
    Match.discriminatorsExhaustive("adapter")({
      powerdns: ({ capabilities, settings }) =>
        makePowerDnsClient({ settings, http, capabilities: { ...powerDnsCapabilities, ...capabilities } }),
      rfc2136: ({ capabilities, settings }) =>
        makeRfc2136Client({ settings, capabilities: { ...rfc2136Capabilities, ...capabilities } })
    })
  )

/** A server that takes signed messages takes no tokens. */
const oauthOf = (declaration: Declaration): Option.Option<OAuthSettings> =>
  declaration.adapter === "powerdns" ? Option.fromNullable(declaration.oauth) : Option.none()

const providerOf = (declaration: Declaration, http: HttpClient.HttpClient): DeclaredProvider => {
  const client = adapterOf(declaration, http)
  const oauth = Option.map(oauthOf(declaration), (settings) => makeOAuthClient(http, settings))
  return {
    client,
    oauth,
    suffixes: declaration.nameServers,
    provider: new Provider({
      id: declaration.id,
      name: declaration.name,
      ...(declaration.referenceUrl === undefined ? {} : { referenceUrl: declaration.referenceUrl }),
      implementation: "automatic",
      availableAuthorizationMethods: Option.isSome(oauth)
        ? ["oauth2_pkce", "direct_credential", "manual"]
        : ["direct_credential", "manual"],
      authorizationInputs: { directCredential: client.credential, providerSession: "none" },
      capabilities: client.limits.capabilities,
      detection: { method: "nameserver" },
      limitations: []
    })
  }
}
