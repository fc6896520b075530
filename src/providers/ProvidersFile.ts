import type { HttpClient } from "@effect/platform"
import { Array, Data, Either, Match, Option, ParseResult, Predicate, Schema } from "effect"
import { parseTarget } from "../domain/names/DomainName.ts"
import { Capabilities, Provider } from "../domain/provider/Provider.ts"
import type { ProviderClient } from "./ProviderClient.ts"
import { makeCallHealth } from "./CallHealth.ts"
import { makeMeasureCall, type MeasureCall, measureRequests } from "./measureCalls.ts"
import { automaticFields, type WritableProvider } from "./Providers.ts"
import { PowerDnsSettings } from "./adapters/powerdns/PowerDnsApi.ts"
import { makePowerDnsClient, powerDnsCapabilities } from "./adapters/powerdns/makePowerDnsClient.ts"
import { makeRfc2136Client, rfc2136Capabilities, Rfc2136Settings } from "./adapters/rfc2136/makeRfc2136Client.ts"
import type { CatalogAdapters } from "./catalog/CatalogAdapter.ts"
import { catalogAdapters } from "./catalog/catalogAdapters.ts"
import {
  catalogIds,
  CatalogSettings,
  findSettingsFaults,
  makeCatalogProviders
} from "./catalog/makeCatalogProviders.ts"
import { makeOAuthClient } from "./oauth/OAuthClient.ts"
import { OAuthSettings } from "./oauth/OAuthSettings.ts"

export interface ProvidersFile {
  /** The operator's own DNS servers. */
  readonly declared: ReadonlyArray<WritableProvider>
  /** The providers of the catalog to which the service writes. */
  readonly catalogued: ReadonlyArray<WritableProvider>
}

/** The providers file cannot be used; each issue says where and why. */
export class ProvidersFileInvalid extends Data.TaggedError("ProvidersFileInvalid")<{
  readonly issues: ReadonlyArray<string>
}> {
  override get message(): string {
    return this.issues.join("; ")
  }
}

/** Parses `PROVIDERS_FILE`: a JSON array of declared providers, each with an adapter, and catalog settings. */
export const parseProvidersFile = (
  text: string,
  http: HttpClient.HttpClient,
  adapters: CatalogAdapters = catalogAdapters
): Either.Either<ProvidersFile, ProvidersFileInvalid> =>
  Either.gen(function* () {
    const entries = yield* Either.mapLeft(decodeEntries(text), formatError)
    const [issues, decoded] = Array.separate(entries.map((entry, index) => decodeEntry(entry, index, adapters)))
    const allIssues = issues.length > 0 ? issues.flat() : findDuplicates(decoded)
    if (allIssues.length > 0) return yield* Either.left(allIssues)
    const [settings, declarations] = Array.partitionMap(decoded, (entry) =>
      "adapter" in entry ? Either.right(entry) : Either.left(entry)
    )
    return {
      declared: declarations.map((declaration) => {
        const health = makeCallHealth()
        return { ...toDeclaredProvider(declaration, http, makeMeasureCall(declaration.id, health)), health }
      }),
      catalogued: makeCatalogProviders({ adapters, http, settings })
    }
  }).pipe(Either.mapLeft((issues) => new ProvidersFileInvalid({ issues })))

const decodeEntries = Schema.decodeUnknownEither(Schema.parseJson(Schema.Array(Schema.Unknown)))

/** An entry with an adapter declares a provider; another one is about a provider of the catalog. */
const decodeEntry = (
  entry: unknown,
  index: number,
  adapters: CatalogAdapters
): Either.Either<Declaration | CatalogSettings, ReadonlyArray<string>> => {
  const path = String(index)
  if (Predicate.hasProperty(entry, "adapter"))
    return Either.mapLeft(decodeDeclaration(entry), (error) => formatError(error, path))
  return Either.flatMap(
    Either.mapLeft(decodeSettings(entry), (error) => formatError(error, path)),
    (settings) => {
      const faults = findSettingsFaults(settings, adapters)
      return faults.length === 0
        ? Either.right(settings)
        : Either.left(
            faults.map(({ field, message }) => `${field === undefined ? path : `${path}.${field}`}: ${message}`)
          )
    }
  )
}

const formatError = (error: ParseResult.ParseError, ...parentPath: ReadonlyArray<string>): ReadonlyArray<string> =>
  ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) => {
    const whole = [...parentPath, ...path.map(String)].join(".")
    const safe = path.length === 0 || path.includes("oauth") || path.includes("aws") ? withoutActual(message) : message
    return whole === "" ? safe : `${whole}: ${safe}`
  })

/** Removes the actual value from a message: it may be a secret, or an entry that holds one. */
const withoutActual = (message: string): string => message.replace(/, actual [^]*$/, "")

const NameServerSuffix = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) =>
    Either.mapLeft(parseTarget(text), ({ message }) => new ParseResult.Type(ast, text, message)),
  encode: ParseResult.succeed
})

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
    Schema.filter((id) => !catalogIds.has(id) || "is the id of a provider in the catalog")
  ),
  name: Schema.NonEmptyString,
  referenceUrl: Schema.optionalWith(PageUrl, { exact: true }),
  nameServers: Schema.NonEmptyArray(NameServerSuffix),
  capabilities: Schema.optionalWith(Schema.partialWith(Capabilities, { exact: true }), { default: () => ({}) })
}

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

const decodingOptions = { errors: "all", onExcessProperty: "error" } as const

const decodeDeclaration = Schema.decodeUnknownEither(Declaration, decodingOptions)

const decodeSettings = Schema.decodeUnknownEither(CatalogSettings, decodingOptions)

const findDuplicates = (entries: ReadonlyArray<Declaration | CatalogSettings>): ReadonlyArray<string> =>
  entries.flatMap((entry, index) =>
    entries
      .slice(0, index)
      .flatMap((earlier, earlierIndex) => [
        ...(entry.id === earlier.id ? [`${index}.id: is also the id of ${earlierIndex}`] : []),
        ...(nameServersOf(entry).some((suffix) => nameServersOf(earlier).includes(suffix))
          ? [`${index}.nameServers: are also name servers of ${earlierIndex}`]
          : [])
      ])
  )

const nameServersOf = (entry: Declaration | CatalogSettings): ReadonlyArray<string> =>
  "adapter" in entry ? entry.nameServers : []

const makeClient = (
  declaration: Declaration,
  capabilities: Capabilities,
  http: HttpClient.HttpClient,
  measure: MeasureCall
): ProviderClient =>
  Match.value(declaration).pipe(
    Match.discriminatorsExhaustive("adapter")({
      powerdns: ({ settings }) => makePowerDnsClient({ settings, http, capabilities }),
      rfc2136: ({ settings }) => makeRfc2136Client({ settings, capabilities, measure })
    })
  )

/** The capabilities of every server of the kind, with the operator's declarations about this one. */
const capabilitiesOf = ({ adapter, capabilities }: Declaration): Capabilities => ({
  ...{ powerdns: powerDnsCapabilities, rfc2136: rfc2136Capabilities }[adapter],
  ...capabilities
})

/** A server that accepts signed messages accepts no tokens. */
const oauthSettingsOf = (declaration: Declaration): Option.Option<OAuthSettings> =>
  declaration.adapter === "powerdns" ? Option.fromNullable(declaration.oauth) : Option.none()

const toDeclaredProvider = (
  declaration: Declaration,
  unmeasuredHttp: HttpClient.HttpClient,
  measure: MeasureCall
): WritableProvider => {
  const http = measureRequests(unmeasuredHttp, measure)
  const capabilities = capabilitiesOf(declaration)
  const client = makeClient(declaration, capabilities, http, measure)
  const oauth = Option.map(oauthSettingsOf(declaration), (settings) => makeOAuthClient(http, settings))
  return {
    client,
    oauth,
    suffixes: declaration.nameServers,
    provider: new Provider({
      id: declaration.id,
      name: declaration.name,
      ...(declaration.referenceUrl === undefined ? {} : { referenceUrl: declaration.referenceUrl }),
      ...automaticFields({ client, oauth }),
      capabilities,
      detection: { method: "nameserver" },
      limitations: []
    })
  }
}
