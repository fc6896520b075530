import { FetchHttpClient, FileSystem, HttpClient } from "@effect/platform"
import { Array, Context, Data, Effect, Either, Layer, Option } from "effect"
import type { Delegation } from "../dns/zone/Delegation.ts"
import type { Provider } from "../domain/Provider.ts"
import type { ProviderClient } from "./ProviderClient.ts"
import { type DeclaredProvider, parseProvidersFile } from "./ProvidersFile.ts"
import { type Detection, detectProvider } from "./catalog/Detection.ts"
import { catalog } from "./catalog/catalog.ts"
import type { OAuthClient } from "./oauth/OAuthClient.ts"

/** The providers that the service knows, and the ways to write to some of them. */
export class Providers extends Context.Tag("providers/Providers")<
  Providers,
  {
    /** Those that the operator declared, then those of the catalogue. */
    readonly all: ReadonlyArray<Provider>
    /** Who hosts a zone: whoever has a name server that the parent or the zone itself names takes part in it. */
    readonly detect: (delegation: Pick<Delegation, "parentNameServers" | "childNameServers">) => Detection
    /** The way to write to the zones of a provider as it was detected, if there is one. */
    readonly clientFor: (provider: Provider) => Option.Option<ProviderClient>
    /** Where the customers of a provider can agree to be written for, if there is such a place. */
    readonly oauthClientFor: (id: Provider["id"]) => Option.Option<OAuthClient>
  }
>() {
  static readonly layer = (declared: ReadonlyArray<DeclaredProvider>) =>
    Layer.sync(Providers, () => {
      const declaredAs = (id: Provider["id"]) => Array.findFirst(declared, ({ provider }) => provider.id === id)
      return {
        all: [...declared, ...catalog].map(({ provider }) => provider),
        detect: ({ childNameServers, parentNameServers }) =>
          detectProvider([...parentNameServers, ...childNameServers], declared),
        // What a declared provider serves together with others is by hand.
        clientFor: ({ id, implementation }) =>
          implementation === "manual" ? Option.none() : Option.map(declaredAs(id), ({ client }) => client),
        oauthClientFor: (id) => Option.flatMap(declaredAs(id), ({ oauth }) => oauth)
      }
    })

  /** With what the operator declared in a file (`PROVIDERS_FILE`); what is wrong with it stops the start. */
  static readonly layerFile = (path: Option.Option<string>) =>
    Layer.unwrapEffect(
      Effect.gen(function* () {
        if (Option.isNone(path)) return Providers.layer([])
        const files = yield* FileSystem.FileSystem
        const http = yield* HttpClient.HttpClient
        const refuse = (reason: string) =>
          new ProvidersFileUnusable({ message: `PROVIDERS_FILE ${path.value}: ${reason}` })
        const text = yield* Effect.mapError(files.readFileString(path.value), () => refuse("cannot be read"))
        const declared = yield* Either.mapLeft(parseProvidersFile(text, http), ({ message }) => refuse(message))
        return Providers.layer(declared)
      })
    ).pipe(
      Layer.provide(FetchHttpClient.layer),
      // A redirect would carry the credential elsewhere; a kept connection may be closed just when it is to carry a write.
      Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual", keepalive: false }))
    )
}

/** The operator's own DNS servers cannot be used as they are declared. */
export class ProvidersFileUnusable extends Data.TaggedError("ProvidersFileUnusable")<{ readonly message: string }> {}
