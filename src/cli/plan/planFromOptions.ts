import { type Error, FileSystem } from "@effect/platform"
import type { ResolversUnavailable } from "../../dns/zone/Delegation.ts"
import { type ConfigError, Effect, Either, Option, Predicate, Record } from "effect"
import type { ResourceRecord } from "../../dns/wire/Message.ts"
import { parseZoneFile } from "../../dns/zonefile/parseZoneFile.ts"
import { type DomainName, isAtOrBelow, listSelfAndAncestors } from "../../domain/names/DomainName.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { ZoneLocation } from "../../domain/plan/Zone.ts"
import type { Provider } from "../../domain/provider/Provider.ts"
import type { PlanPreview } from "../../lifecycle/plan/PlanMaker.ts"
import type { ZoneSurveyFailed } from "../../lifecycle/plan/ZoneSurvey.ts"
import { type LookupQuestion, questionKeyOf } from "../../planning/DnsLookup.ts"
import { makeZoneContextFinder } from "../../planning/zone/zoneContext.ts"
import type { ProvidersFileInvalid } from "../../providers/ProvidersFile.ts"
import { findHostsInDomain } from "../../providers/writing/AffectedNames.ts"
import { BadInput } from "./BadInput.ts"
import { decodeUtf8, parseJsonInput } from "./CaseRequest.ts"
import { type DryRun, planCase, toDryRun } from "./DryRun.ts"
import type { PlanOptions } from "./PlanOptions.ts"
import { parseCase, type PlanCase } from "./parseCase.ts"

/** Finds the zone of a domain in the public DNS and plans the changes to it. */
export type PreviewFunction = (
  intent: ResolvedIntent
) => Effect.Effect<
  PlanPreview,
  ZoneSurveyFailed | ResolversUnavailable | ConfigError.ConfigError | ProvidersFileInvalid
>

/** Plans the case that the options describe, for a zone from a file or else from the public DNS. */
export const planFromOptions = (
  options: PlanOptions,
  { declared, preview }: { readonly preview: PreviewFunction; readonly declared: ReadonlyArray<Provider> }
): Effect.Effect<
  DryRun,
  BadInput | ResolversUnavailable | ConfigError.ConfigError | ProvidersFileInvalid,
  FileSystem.FileSystem
> =>
  Effect.gen(function* () {
    const input = yield* composeCase(options, declared)
    if (Option.isSome(options.zone)) return planCase(input)
    if (Option.isSome(options.zoneFile)) return planCase(yield* withZoneFile(options.zoneFile.value, input))
    return yield* preview(input.intent).pipe(
      Effect.map((previewed) => toDryRun(input.intent, Either.right(previewed))),
      Effect.catchTag("ZoneSurveyFailed", (failed) => Effect.succeed(toDryRun(input.intent, Either.left(failed))))
    )
  })

/** Composes the case as a line of standard input has it. */
const composeCase = (
  { capabilities, context, domain, intent, provider, zone, zoneName }: PlanOptions,
  declared: ReadonlyArray<Provider>
) =>
  Effect.gen(function* () {
    const files = yield* Effect.all({
      intent: readJsonFile("intent", intent),
      zone: readJsonFile("zone", zone),
      context: readJsonFile("context", context)
    })
    const request = Record.getSomes({
      domain,
      zoneName,
      provider,
      capabilities,
      ...files,
      intent: Option.map(files.intent, unwrapIntent),
      zone: Option.orElseSome(files.zone, () => [])
    })
    return yield* parseCase(request, { errors: "all", declared })
  })

/** The intent may stand alone or as in the body of the API's request. */
const unwrapIntent = (value: unknown): unknown => (Predicate.hasProperty(value, "intent") ? value.intent : value)

const readJsonFile = (part: string, path: Option.Option<string>) =>
  Effect.transposeMapOption(path, (path) =>
    Effect.mapError(Effect.flatMap(readText(path), parseJsonInput), (error) => error.inFile(path, `/${part}`))
  )

const readText = (path: string): Effect.Effect<string, BadInput, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fileSystem = yield* FileSystem.FileSystem
    return yield* decodeUtf8(yield* Effect.mapError(fileSystem.readFile(path), toFileUnreadable))
  })

const toFileUnreadable = (error: Error.PlatformError): BadInput =>
  new BadInput({
    code: "file_unreadable",
    message:
      error._tag === "SystemError" && error.reason === "NotFound" ? "there is no such file" : "this cannot be read"
  })

/** Adds the records of a zone file, with hosts relative to the domain, which is the zone or lies below it. */
const withZoneFile = (path: string, input: PlanCase): Effect.Effect<PlanCase, BadInput, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { context, intent, zone } = input
    const fileRecords = yield* Effect.flatMap(readText(path), (text) =>
      Either.mapLeft(parseZoneFile(text, { origin: zone.name }), ({ message }) => makeMalformedZoneFile(message))
    )
    if (!fileRecords.some(({ name }) => isAtOrBelow(name, zone.name)))
      return yield* makeMalformedZoneFile(`no record lies in ${zone.name}`)
    const location = { domain: intent.domain, zone: zone.name }
    const records = fileRecords.flatMap(({ name, ...record }) =>
      findHostsInDomain(name, record.type, location).map((host) => ({ host, ...record }))
    )
    const answers = new Map([
      ...findFileAnswersAbove(intent.domain, zone.name, fileRecords),
      ...findAliasesOutside(location, fileRecords),
      ...context.answers
    ])
    const zoneContext = makeZoneContextFinder(location)
    for (const { name, ...data } of fileRecords) zoneContext.add(name, data)
    return { ...input, zone: { ...zone, records, ...zoneContext.find() }, context: { ...context, answers } }
  }).pipe(Effect.mapError((error) => error.inFile(path)))

const makeMalformedZoneFile = (message: string): BadInput => new BadInput({ code: "malformed_zone_file", message })

/** The CNAMEs of the zone outside the domain, which may lead back into it. */
const findAliasesOutside = ({ domain, zone }: ZoneLocation, fileRecords: ReadonlyArray<ResourceRecord>) =>
  fileRecords
    .filter(({ name, type }) => type === "CNAME" && isAtOrBelow(name, zone) && !isAtOrBelow(name, domain))
    .map(({ name, value }) => [questionKeyOf({ name, type: "CNAME" }), [value]] as const)

/** The CAA and DMARC records, or their absence, at the names between the domain and the apex of its zone. */
const findFileAnswersAbove = (domain: DomainName, zone: DomainName, fileRecords: ReadonlyArray<ResourceRecord>) =>
  listSelfAndAncestors(domain)
    .filter((name) => name !== domain && isAtOrBelow(name, zone))
    .flatMap((name): ReadonlyArray<LookupQuestion> => [
      { name, type: "CAA" },
      { name: `_dmarc.${name}`, type: "TXT" }
    ])
    .map(({ name, type }) => {
      const values = fileRecords
        .filter((record) => record.name === name && record.type === type)
        .map(({ value }) => value)
      return [questionKeyOf({ name, type }), values] as const
    })
