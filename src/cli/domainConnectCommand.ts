import { Args, Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Array, Console, Data, Effect, Either, type Layer, Option, Schema } from "effect"
import { basename } from "node:path"
import { Applications } from "../administration/Applications.ts"
import { Delegations } from "../dns/zone/Delegations.ts"
import { DomainConnectKeyId } from "../domain/access/DomainConnectKey.ts"
import { IntentRequest, resolveIntent } from "../domain/connection/Intent.ts"
import { DomainName } from "../domain/names/DomainName.ts"
import { checkTemplateFile, hasErrors } from "../domainConnect/checkTemplate.ts"
import { draftTemplate } from "../domainConnect/draftTemplate.ts"
import { formatPublicKey } from "../domainConnect/signature.ts"
import { parseTemplate, type Template } from "../domainConnect/Template.ts"
import { toZoneEntry } from "../lifecycle/authorize/zoneEntries.ts"
import { checkLink } from "../lifecycle/plan/offerDomainConnect.ts"
import { type DiscoveryStep, DomainConnectDirectory } from "../providers/domainConnect/DomainConnectDirectory.ts"
import { Providers } from "../providers/Providers.ts"
import { type Detection, listProviderIds } from "../providers/catalog/Detection.ts"
import { DomainConnectKeys } from "../security/DomainConnectKeys.ts"
import { exitCodes, setExitCode } from "./exitCodes.ts"
import { applicationId, type EnvironmentOption, environment as environmentOf, json, printResult } from "./options.ts"

const environment = environmentOf("the application is")

/** A file or an option that cannot be used; `message` says why. */
class UnusableInput extends Data.TaggedError("UnusableInput")<{ readonly message: string }> {}

const readFile = (path: string) =>
  Effect.mapError(
    Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(path)),
    () => new UnusableInput({ message: `${path} cannot be read` })
  )

const reportUnusable = <A, E, R>(effect: Effect.Effect<A, E | UnusableInput, R>) =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E | UnusableInput, UnusableInput> => error instanceof UnusableInput,
    ({ message }) => Effect.zipRight(Console.error(message), setExitCode(exitCodes.badInput))
  )

const file = Args.text({ name: "file" }).pipe(Args.withDescription("The template, as in the template repository."))

/** Prints what is wrong with a template, and fails the command where the template repository would refuse it. */
const reportFindings = (text: string, fileName?: string) =>
  Effect.tap(printFindings(text, fileName), (findings) =>
    hasErrors(findings) ? setExitCode(exitCodes.badInput) : Effect.void
  )

const printFindings = (text: string, fileName?: string) =>
  Effect.gen(function* () {
    const findings = checkTemplateFile(text, fileName)
    for (const { level, message, path, rule } of findings)
      yield* Console.error(`${level}: ${path === "" ? "the template" : path} ${message} (${rule})`)
    return findings
  })

const draft = Command.make(
  "draft",
  {
    intent: Options.text("intent").pipe(
      Options.withDescription("A file with an intent of a customer: its `domain` and `records`, as in the API.")
    ),
    providerId: Options.text("provider-id").pipe(Options.withDescription("Your domain, which names you.")),
    providerName: Options.text("provider-name"),
    serviceId: Options.text("service-id"),
    serviceName: Options.text("service-name"),
    syncPubKeyDomain: Options.text("key-domain").pipe(
      Options.withDescription("The domain below which you publish your keys.")
    ),
    syncRedirectDomain: Options.text("redirect-domain").pipe(Options.withDescription("The host of PUBLIC_URL.")),
    variables: Options.keyValueMap("variable").pipe(
      Options.withDescription("name=value: what differs between customers, with its value in this intent."),
      Options.optional
    )
  },
  ({ intent, variables, ...names }) =>
    reportUnusable(
      Effect.gen(function* () {
        const decoded = Schema.decodeUnknownEither(Schema.parseJson(IntentRequest))(yield* readFile(intent))
        const resolved = Either.flatMap(decoded, resolveIntent)
        if (Either.isLeft(resolved)) return yield* new UnusableInput({ message: `${intent} has no valid intent` })
        const { domain, effectiveIntent } = resolved.right
        const template = draftTemplate(
          effectiveIntent.records.map((record) => toZoneEntry(record, domain)),
          { ...names, fqdn: domain, variables: Object.fromEntries(Option.getOrElse(variables, () => [])) }
        )
        const text = formatTemplate(template)
        yield* Console.log(text)
        yield* reportFindings(text)
      })
    )
).pipe(Command.withDescription("Draft a template from an intent, and check it."))

/** As it stands in a file of the template repository. */
const formatTemplate = (template: Template): string => JSON.stringify(template, undefined, 2)

const checkFile = Command.make("check", { file, json }, ({ file, json }) =>
  reportUnusable(
    Effect.gen(function* () {
      const findings = yield* reportFindings(yield* readFile(file), basename(file))
      yield* printResult(json, findings, findings.length === 0 ? "No rule is broken." : `${findings.length} findings`)
    })
  )
).pipe(Command.withDescription("Check a template by the rules of the template repository and of its linter."))

const register = Command.make(
  "register",
  { applicationId, files: Args.repeated(file), environment },
  ({ applicationId, files }) =>
    reportUnusable(
      Effect.gen(function* () {
        const ids = new Set<string>()
        const templates = yield* Effect.forEach(files, (path) =>
          Effect.gen(function* () {
            const text = yield* readFile(path)
            const template = parseTemplate(text)
            if (Either.isLeft(template))
              return yield* new UnusableInput({ message: `${path} is no template: ${template.left}` })
            yield* printFindings(text, basename(path))
            const { providerId, serviceId } = template.right
            const id = `${providerId}/${serviceId}`.toLowerCase()
            if (ids.has(id))
              return yield* new UnusableInput({ message: `two files have the template ${id} (DCTL1004)` })
            ids.add(id)
            return text
          })
        )
        yield* (yield* Applications).update({ id: applicationId, matches: () => true }, (settings) => {
          const { domainConnectTemplates: _, ...others } = settings
          return Effect.succeed(templates.length === 0 ? others : { ...others, domainConnectTemplates: templates })
        })
        yield* Console.log(`${applicationId} has ${templates.length} templates`)
      })
    )
).pipe(Command.withDescription("Replace the templates of an application by these; by none without a file."))

const keyOptions = {
  applicationId,
  domain: Options.text("domain").pipe(
    Options.withSchema(DomainConnectKeyId.fields.domain),
    Options.withDescription("syncPubKeyDomain of the templates.")
  ),
  label: Options.text("label").pipe(
    Options.withSchema(DomainConnectKeyId.fields.label),
    Options.withDescription("The label below it; a new key has a new one.")
  )
}

const createKey = Command.make(
  "create",
  { ...keyOptions, environment, json },
  ({ applicationId, domain, json, label }) =>
    Effect.gen(function* () {
      const id = { applicationId, domain, label }
      const name = `${id.label}.${id.domain}`
      const created = yield* (yield* DomainConnectKeys).create(id).pipe(
        Effect.map(Either.fromOption(() => `there is a key ${name} already: a new key has a new label`)),
        Effect.catchTag("TooManySigningKeys", ({ message }) => Effect.succeed(Either.left(message)))
      )
      if (Either.isLeft(created)) {
        yield* Console.error(created.left)
        return yield* setExitCode(exitCodes.badInput)
      }
      const records = formatPublicKey(created.right.publicKey)
      yield* printResult(
        json,
        { name, type: "TXT", records },
        [
          `Publish these TXT records at ${name}:`,
          "",
          ...records,
          "",
          "The private key is sealed, and never shown."
        ].join("\n")
      )
    })
).pipe(Command.withDescription("Make a key pair, and print the TXT records that publish it."))

const listKeys = Command.make("list", { applicationId, environment, json }, ({ applicationId, json }) =>
  Effect.gen(function* () {
    const keys = yield* (yield* DomainConnectKeys).list(applicationId)
    const names = keys.map(({ domain, label }) => `${label}.${domain}`)
    yield* printResult(json, names, names.join("\n"))
  })
).pipe(Command.withDescription("List the keys of an application, the newest first."))

const deleteKey = Command.make(
  "delete",
  { ...keyOptions, environment, json },
  ({ applicationId, domain, json, label }) =>
    Effect.gen(function* () {
      const id = { applicationId, domain, label }
      const isDeleted = yield* (yield* DomainConnectKeys).remove(id)
      const name = `${id.label}.${id.domain}`
      yield* printResult(
        json,
        { name, deleted: isDeleted },
        isDeleted ? `${name} is deleted` : `there is no key ${name}`
      )
    })
).pipe(Command.withDescription("Delete a key; leave its TXT records for the links that customers still have."))

const makeCheck = <E, R>(publicUrl: Effect.Effect<Option.Option<string>, E, R>) =>
  Command.make(
    "check",
    { domain: Args.text({ name: "domain" }).pipe(Args.withSchema(DomainName)), applicationId, environment, json },
    ({ applicationId, domain, json }) =>
      Effect.gen(function* () {
        const directory = yield* DomainConnectDirectory
        const { settings } = yield* (yield* Applications).find(applicationId)
        const keys = yield* (yield* DomainConnectKeys).list(applicationId)
        const delegation = yield* (yield* Delegations).find(domain)
        const { zone } = delegation
        const detection = (yield* Providers).detect(delegation)
        const found = yield* directory.discover({
          name: zone,
          nameServers: [...delegation.parentNameServers, ...delegation.childNameServers],
          providerIds: listProviderIds(detection)
        })
        const templates = Either.getOrElse(
          Either.all((settings.domainConnectTemplates ?? []).map(parseTemplate)),
          () => []
        )
        const provider = Option.getOrUndefined(found.provider)
        const further = yield* provider === undefined
          ? Effect.forEach(keys, directory.checkKey)
          : Effect.map(
              Effect.forEach(templates, (template) => directory.checkTemplate(provider, template, keys)),
              Array.flatten
            )
        const backTo = Option.getOrUndefined(yield* publicUrl)
        const steps = [
          ...found.steps,
          ...listSeveral(detection),
          ...further,
          ...templates.map((template) => checkLink(template, backTo))
        ]
        const lines = [
          `The zone of ${domain} is ${zone}.`,
          ...steps.map(({ isGood, message }) => `${isGood ? "yes" : "no "}  ${message}`),
          ...(templates.length === 0 ? [`${applicationId} has no templates.`] : []),
          ...(keys.length === 0 ? [`${applicationId} has no keys.`] : [])
        ]
        yield* printResult(json, { zone, steps }, lines.join("\n"))
        const isOffered = steps.every(({ isGood }) => isGood) && templates.length > 0 && keys.length > 0
        if (!isOffered) yield* setExitCode(exitCodes.wouldFail)
      })
  ).pipe(
    Command.withDescription("Show each step by which Domain Connect is offered for a domain; exit code 1 if one fails.")
  )

/** Where several providers serve a zone, one of them alone cannot change it. */
const listSeveral = ({ warnings }: Pick<Detection, "warnings">): ReadonlyArray<DiscoveryStep> =>
  warnings.includes("multi_provider_ns")
    ? [{ step: "name_servers", isGood: false, message: "several providers serve the zone" }]
    : []

/** `domain-connect`: templates, keys, and what a provider says; those of test mode with `--environment test`. */
export const makeDomainConnectCommand = <E, R, E2, R2, E3, R3>(
  administrationOf: (option: EnvironmentOption) => Layer.Layer<Applications | DomainConnectKeys, E, R>,
  internet: Layer.Layer<Delegations | DomainConnectDirectory | Providers, E2, R2>,
  publicUrl: Effect.Effect<Option.Option<string>, E3, R3>
) =>
  Command.make("domain-connect").pipe(
    Command.withDescription("Domain Connect: the platform's templates and keys, and what providers say."),
    Command.withSubcommands([
      Command.make("template").pipe(
        Command.withDescription("Templates: what a DNS provider writes for a customer."),
        Command.withSubcommands([draft, checkFile, Command.provide(register, administrationOf)])
      ),
      Command.make("key").pipe(
        Command.withDescription("The keys with which links to providers are signed."),
        Command.withSubcommands([
          Command.provide(createKey, administrationOf),
          Command.provide(listKeys, administrationOf),
          Command.provide(deleteKey, administrationOf)
        ])
      ),
      Command.provide(Command.provide(makeCheck(publicUrl), administrationOf), internet)
    ])
  )
