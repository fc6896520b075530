import type { HttpClient } from "@effect/platform"
import { Effect, Option, Record, Schema } from "effect"
import { Provider } from "../../domain/provider/Provider.ts"
import type { ProviderClient } from "../ProviderClient.ts"
import { makeCallHealth } from "../CallHealth.ts"
import { AwsIdentity } from "../awsRoles.ts"
import { makeMeasureCall, measureRequests } from "../measureCalls.ts"
import { automaticFields, type WritableProvider } from "../Providers.ts"
import { makeOAuthClient } from "../oauth/OAuthClient.ts"
import { OAuthRegistration } from "../oauth/OAuthSettings.ts"
import { catalog, type CatalogEntry, limitsOf, unknownProvider } from "./catalog.ts"
import type { AdapterProof, CatalogAdapter, CatalogAdapters, CatalogClientFactory } from "./CatalogAdapter.ts"

/** The adapters of catalogued providers, the operator's settings for them, and the client that calls them. */
interface CatalogEnvironment {
  readonly adapters: CatalogAdapters
  readonly settings: ReadonlyArray<CatalogSettings>
  readonly http: HttpClient.HttpClient
}

/** Makes the catalogued providers to which the service writes: those with an adapter that the operator leaves on. */
export const makeCatalogProviders = ({
  adapters,
  http,
  settings
}: CatalogEnvironment): ReadonlyArray<WritableProvider> =>
  catalog.flatMap((entry) => {
    const own = settings.find(({ id }) => id === entry.provider.id)
    return Record.get(adapters, entry.provider.id).pipe(
      Option.filter(
        ({ credential }) => own?.implementation !== "manual" && (credential !== "none" || own?.oauth !== undefined)
      ),
      Option.map((adapter) => {
        const health = makeCallHealth()
        const writable = toWritableProvider(entry, adapter, {
          http: measureRequests(http, makeMeasureCall(entry.provider.id, health)),
          oauth: Option.fromNullable(own?.oauth),
          awsIdentity: own?.aws
        })
        return { ...writable, health }
      }),
      Option.toArray
    )
  })

const toWritableProvider = (
  { provider, suffixes }: CatalogEntry,
  adapter: CatalogAdapter,
  {
    awsIdentity,
    http,
    oauth: registration
  }: Pick<CatalogEnvironment, "http"> & {
    readonly awsIdentity: AwsIdentity | undefined
    readonly oauth: Option.Option<OAuthRegistration>
  }
): WritableProvider => {
  const client = makeLazyClient(adapter, {
    http,
    limits: limitsOf(provider),
    ...(awsIdentity === undefined ? {} : { awsIdentity }),
    ...Option.match(registration, { onNone: () => ({}), onSome: (registration) => ({ registration }) })
  })
  const oauth = Option.flatMap(registration, (registered) =>
    Option.map(oauthMakerOf(adapter), (makeClient) => makeClient(http, registered))
  )
  return {
    client,
    oauth,
    suffixes,
    ...(adapter.nameServers === undefined ? {} : { nameServers: adapter.nameServers }),
    provider: new Provider({
      ...provider,
      ...automaticFields({
        client,
        oauth,
        roleTrust: awsIdentity?.principalArn
      }),
      limitations: [
        ...provider.limitations,
        ...(adapter.limitations ?? []),
        ...(adapter.isProvenLive === true ? [] : [describeProof(adapter)])
      ]
    })
  }
}

/** Makes the OAuth client of a provider, if it has OAuth that the service can use. */
const oauthMakerOf = ({
  authorizationServer,
  makeOAuthClient: makeOwn
}: CatalogAdapter): Option.Option<NonNullable<CatalogAdapter["makeOAuthClient"]>> =>
  Option.fromNullable(
    makeOwn ??
      (authorizationServer && ((http, registered) => makeOAuthClient(http, { ...authorizationServer, ...registered })))
  )

const describeProof = ({ provenBy = [] }: CatalogAdapter): string => {
  const proofs = new Intl.ListFormat("en-GB").format(provenBy.map((proof) => proofNames[proof]))
  return proofs === ""
    ? "Writing to this provider is not yet proven at the vendor."
    : `Writing to this provider is proven by ${proofs}, not yet at the vendor.`
}

const proofNames: Readonly<Record<AdapterProof, string>> = {
  document: "its document",
  recording: "a recording",
  judge: "a client of another author",
  trap: "known traps"
}

/** A module that cannot be imported is a fault of the installation. */
const makeLazyClient = (
  { credential, load }: CatalogAdapter,
  environment: Parameters<CatalogClientFactory>[0]
): ProviderClient => {
  let loading: Promise<ProviderClient> | undefined
  const loaded = Effect.promise(() => (loading ??= load().then((makeClient) => makeClient(environment))))
  return {
    credential: environment.awsIdentity === undefined ? credential : "aws_role",
    openZone: (request) => Effect.flatMap(loaded, ({ openZone }) => openZone(request))
  }
}

/** The operator's settings for one provider of the catalog. */
export const CatalogSettings = Schema.Struct({
  id: Schema.String,
  /** Switches the adapter off: customers enter the records by hand. */
  implementation: Schema.optionalWith(Schema.Literal("manual"), { exact: true }),
  /** The OAuth client that the operator has registered at the provider. */
  oauth: Schema.optionalWith(OAuthRegistration, { exact: true }),
  /** The operator's own identity at AWS: customers then give a role instead of an access key. */
  aws: Schema.optionalWith(AwsIdentity, { exact: true })
})
export type CatalogSettings = typeof CatalogSettings.Type

export const catalogIds: ReadonlySet<string> = new Set([
  unknownProvider.id,
  ...catalog.map(({ provider }) => provider.id)
])

/** Finds settings that a provider of the catalog cannot have, by field; without one, nothing is set. */
export const findSettingsFaults = (
  { aws, id, implementation, oauth }: CatalogSettings,
  adapters: CatalogAdapters
): ReadonlyArray<{ readonly field?: keyof CatalogSettings; readonly message: string }> => {
  if (!catalogIds.has(id) || id === unknownProvider.id)
    return [{ field: "id", message: "is not the id of a provider in the catalog; one of your own needs an adapter" }]
  const adapter = Record.get(adapters, id)
  if (Option.isNone(adapter))
    return [{ field: "id", message: "is a provider without an adapter: its customers enter the records by hand" }]
  if (aws !== undefined && (adapter.value.takesAwsRole !== true || implementation !== undefined))
    return [
      { field: "aws", message: "must be set for a provider only to whose zones the service writes with roles at AWS" }
    ]
  if (oauth === undefined)
    return implementation === undefined && aws === undefined
      ? [{ message: 'must have oauth, or "implementation": "manual"' }]
      : []
  if (implementation !== undefined)
    return [{ field: "oauth", message: 'must not be set together with "implementation": "manual"' }]
  if (oauth.region !== undefined && adapter.value.makeOAuthClient === undefined)
    return [{ field: "oauth", message: "must not have a region: this provider has the same one for all accounts" }]
  return Option.isNone(oauthMakerOf(adapter.value))
    ? [{ field: "oauth", message: "must not be set: this provider has no OAuth that the service can use" }]
    : []
}
