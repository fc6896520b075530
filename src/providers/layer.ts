import { FileSystem, HttpClient } from "@effect/platform"
import { Effect, Either, Layer, Option } from "effect"
import { Providers } from "./Providers.ts"
import { type DirectorySettings, DomainConnectDirectory } from "./domainConnect/DomainConnectDirectory.ts"
import { parseProvidersFile, type ProvidersFile, ProvidersFileInvalid } from "./ProvidersFile.ts"
import { catalogAdapters } from "./catalog/catalogAdapters.ts"
import { makeCatalogProviders } from "./catalog/makeCatalogProviders.ts"
import { outboundHttpLayer, type OutboundSettings } from "./outboundHttp.ts"

/** The providers of the catalog and of `PROVIDERS_FILE`, without which the service does not start if it is invalid. */
export const providersLayer = ({
  providersFile,
  ...outbound
}: OutboundSettings & { readonly providersFile: Option.Option<string> }) =>
  Layer.unwrapEffect(
    Effect.map(
      Option.match(providersFile, { onNone: () => withoutProvidersFile, onSome: readProvidersFile }),
      ({ catalogued, declared }) => Providers.layer(declared, catalogued)
    )
  ).pipe(Layer.provide(outboundHttpLayer(outbound)))

/** Asks providers for Domain Connect, at the hosts of the catalog and those that the operator names. */
export const domainConnectDirectoryLayer = (settings: DirectorySettings) =>
  Layer.provide(DomainConnectDirectory.layer(settings), outboundHttpLayer(settings))

/** The providers that the operator declares in a file (`PROVIDERS_FILE`), none without one; calls none of them. */
export const readDeclaredProviders = (path: Option.Option<string>) =>
  Option.match(path, {
    onNone: () => Effect.succeed([]),
    onSome: (path) => Effect.map(readProvidersFile(path), ({ declared }) => declared.map(({ provider }) => provider))
  }).pipe(Effect.provide(outboundHttpLayer({ outboundProxy: Option.none() })))

const withoutProvidersFile: Effect.Effect<ProvidersFile, never, HttpClient.HttpClient> = Effect.map(
  HttpClient.HttpClient,
  (http) => ({ declared: [], catalogued: makeCatalogProviders({ adapters: catalogAdapters, http, settings: [] }) })
)

const readProvidersFile = (path: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const http = yield* HttpClient.HttpClient
    const invalid = (...issues: ReadonlyArray<string>) =>
      new ProvidersFileInvalid({ issues: issues.map((issue) => `PROVIDERS_FILE ${path}: ${issue}`) })
    const text = yield* Effect.mapError(files.readFileString(path), () => invalid("cannot be read"))
    return yield* Either.mapLeft(parseProvidersFile(text, http), ({ message }) => invalid(message))
  })
