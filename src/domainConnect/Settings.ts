import { Either, Schema } from "effect"

/** An `https` URL of a host and a path, and of nothing else: no user, port, query or fragment. */
const UrlPrefix = Schema.String.pipe(
  Schema.filter((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url?.href.startsWith(`https://${url.hostname}/`) === true && !/[?#]/.test(text)
  })
)

/** What a provider says of a zone at its settings endpoint (draft-ietf-dconn-domainconnect-05, section 7.2). */
export const Settings = Schema.Struct({
  providerId: Schema.NonEmptyString,
  providerName: Schema.String,
  providerDisplayName: Schema.optionalWith(Schema.String, { exact: true }),
  /** Absent where the provider has no synchronous flow for this zone. */
  urlSyncUX: Schema.optionalWith(UrlPrefix, { exact: true }),
  urlAPI: UrlPrefix,
  urlControlPanel: Schema.optionalWith(Schema.String, { exact: true }),
  nameServers: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  crit: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
})
export type Settings = typeof Settings.Type

/** Reads the JSON of a settings endpoint. Refuses one whose `crit` names a member that is not known here. */
export const parseSettings = (json: string): Either.Either<Settings, string> =>
  Either.gen(function* () {
    const input = yield* Either.mapLeft(decodeJson(json), () => "the settings are not JSON")
    const settings = yield* Either.mapLeft(decode(input), ({ message }) => message)
    const unknown = settings.crit?.filter((name) => !knownMembers.has(name))
    return unknown === undefined || unknown.length === 0
      ? settings
      : yield* Either.left(`crit: ${unknown.join(", ")} are not known here`)
  })

/** Those that are read, and those of the draft that are for other flows and windows. */
const knownMembers: ReadonlySet<string> = new Set([...Object.keys(Settings.fields), "urlAsyncUX", "width", "height"])

const decodeJson = Schema.decodeEither(Schema.parseJson())

const decode = Schema.decodeUnknownEither(Settings)

/** The host and path that a `_domainconnect` text names: no scheme, query, fragment, or segment out of the path. */
export const parseAddress = (text: string): string | undefined => {
  const address = text
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/\/$/, "")
  return /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/i.test(address) &&
    URL.canParse(`https://${address}/v2`)
    ? address
    : undefined
}

/** Where the settings of a zone are. */
export const settingsUrlOf = (address: string, zone: string): string =>
  `https://${address}/v2/${encodeURIComponent(zone)}/settings`

/** Where a provider says by its status whether it has a template. */
export const templateUrlOf = ({ urlAPI }: Settings, ids: { readonly providerId: string; readonly serviceId: string }) =>
  `${urlAPI.replace(/\/$/, "")}/v2/domainTemplates/providers/${encodeURIComponent(ids.providerId)}/services/${encodeURIComponent(ids.serviceId)}`

/** The page of the provider for a zone, in A-labels; none where the settings name no web address. */
export const controlPanelOf = ({ urlControlPanel }: Settings, zone: string): string | undefined => {
  const url = urlControlPanel?.replaceAll("%domain%", encodeURIComponent(zone))
  return url !== undefined && URL.canParse(url) && new URL(url).protocol === "https:" ? url : undefined
}

/** Whether the name servers of the settings, where they name any, are those of the delegation. */
export const agreesWithDelegation = ({ nameServers }: Settings, delegated: ReadonlyArray<string>): boolean => {
  const known = new Set(delegated.map(toNormalName))
  return (
    nameServers === undefined ||
    nameServers.length === 0 ||
    nameServers.map(toNormalName).some((name) => known.has(name))
  )
}

const toNormalName = (name: string): string => name.toLowerCase().replace(/\.$/, "")
