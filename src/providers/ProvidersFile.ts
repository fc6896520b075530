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

/** An operator's own DNS servers: a provider like those of the catalog, and the client that writes to it. */
export interface DeclaredProvider extends CatalogEntry {
  readonly client: ProviderClient
  /** The OAuth client with which customers can authorize the service, if the operator has registered one. */
  readonly oauth: Option.Option<OAuthClient>
}

/** The providers file cannot be used; each issue says where and why. */
export class ProvidersFileInvalid extends Data.TaggedError("ProvidersFileInvalid")<{
  readonly issues: ReadonlyArray<string>
}> {
  override get message(): string {
    return this.issues.join("; ")
  }
}

/** Parses a providers file (`PROVIDERS_FILE`): a JSON array of providers, which `http` calls. */
export const parseProvidersFile = (
  text: string,
  http: HttpClient.HttpClient
): Either.Either<ReadonlyArray<DeclaredProvider>, ProvidersFileInvalid> =>
  Either.mapBoth(decodeDeclarations(text), {
    onLeft: (error) =>
      new ProvidersFileInvalid({ issues: ParseResult.ArrayFormatter.formatErrorSync(error).map(formatIssue) }),
    onRight: (declarations) => declarations.map((declaration) => toDeclaredProvider(declaration, http))
  })

const formatIssue = ({ message, path }: ParseResult.ArrayFormatterIssue): string =>
  path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`

const NameServerSuffix = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) =>
    Either.mapLeft(parseTarget(text), ({ message }) => new ParseResult.Type(ast, text, message)),
  encode: ParseResult.succeed
})

/** Shown to customers as a link. */
const PageUrl = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (/^https:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?$/.test(text) && URL.canParse(text)) ||
      "must be an https URL without user and password"
  )
)

const commonFields = {
  id: Schema.String.pipe(
    Schema.filter((id) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(id) || "must be a lower-case word like acme-dns"),
    Schema.filter((id) => !reservedIds.has(id) || "is the id of a provider in the catalog")
  ),
  name: Schema.NonEmptyString,
  referenceUrl: Schema.optionalWith(PageUrl, { exact: true }),
  nameServers: Schema.NonEmptyArray(NameServerSuffix),
  capabilities: Schema.optionalWith(Schema.partialWith(Capabilities, { exact: true }), { default: () => ({}) })
}

const reservedIds: ReadonlySet<string> = new Set(["unknown", ...catalog.map(({ provider }) => provider.id)])

const Declaration = Schema.Union(
  Schema.Struct({
    ...commonFields,
    adapter: Schema.Literal("powerdns"),
    settings: PowerDnsSettings,
    oauth: Schema.optionalWith(OAuthSettings, { exact: true })
  }),
  Schema.Struct({ ...commonFields, adapter: Schema.Literal("rfc2136"), settings: Rfc2136Settings })
)
type Declaration = typeof Declaration.Type

const findDuplicates = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<Schema.FilterIssue> =>
  declarations.flatMap((declaration, index) =>
    declarations
      .slice(0, index)
      .flatMap((earlier, earlierIndex) => [
        ...(declaration.id === earlier.id
          ? [{ path: [index, "id"], message: `is also the id of ${earlierIndex}` }]
          : []),
        ...(declaration.nameServers.some((suffix) => earlier.nameServers.includes(suffix))
          ? [{ path: [index, "nameServers"], message: `are also name servers of ${earlierIndex}` }]
          : [])
      ])
  )

const decodeDeclarations = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Array(Declaration).pipe(Schema.filter(findDuplicates))),
  {
    errors: "all",
    onExcessProperty: "error"
  }
)

const makeClient = (
  declaration: Declaration,
  capabilities: Capabilities,
  http: HttpClient.HttpClient
): ProviderClient =>
  Match.value(declaration).pipe(
    Match.discriminatorsExhaustive("adapter")({
      powerdns: ({ settings }) => makePowerDnsClient({ settings, http, capabilities }),
      rfc2136: ({ settings }) => makeRfc2136Client({ settings, capabilities })
    })
  )

/** What every server of the kind can store, with what the operator says about this one. */
const capabilitiesOf = ({ adapter, capabilities }: Declaration): Capabilities => ({
  ...{ powerdns: powerDnsCapabilities, rfc2136: rfc2136Capabilities }[adapter],
  ...capabilities
})

/** A server that accepts signed messages accepts no tokens. */
const oauthSettingsOf = (declaration: Declaration): Option.Option<OAuthSettings> =>
  declaration.adapter === "powerdns" ? Option.fromNullable(declaration.oauth) : Option.none()

const toDeclaredProvider = (declaration: Declaration, http: HttpClient.HttpClient): DeclaredProvider => {
  const capabilities = capabilitiesOf(declaration)
  const client = makeClient(declaration, capabilities, http)
  const oauth = Option.map(oauthSettingsOf(declaration), (settings) => makeOAuthClient(http, settings))
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
      capabilities,
      detection: { method: "nameserver" },
      limitations: []
    })
  }
}
