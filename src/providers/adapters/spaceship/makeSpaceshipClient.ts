import { Duration, Effect, Either, Redacted, Schema } from "effect"
import type { Credential } from "../../../domain/provider/Credential.ts"
import { type ApiAuthorization, inHeaders } from "../../apiAuthorization.ts"
import { requireNoContent } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts, type Timeouts } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { makeSpaceshipCheck, SpaceshipRecord, toNewItem, toStoredItem, toZoneRecord } from "./SpaceshipRecord.ts"

/**
 * The client of Spaceship. Its records have no ids: what is written is added, or gets another TTL if it is there already,
 * and what is removed is named by its data. Nothing says that a call makes several changes together.
 */
export const makeSpaceshipClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_key_secret",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://spaceship.dev/api/v1",
      authorization: yield* authorizeWith(request.credential),
      timeout: timeouts.call
    })
    const path = `/dns/records/${zone}`
    const first = { method: "GET", path, query: { take: 1, skip: 0 }, schema: SpaceshipPage } as const
    yield* Effect.mapError(api.call(first), toOpenFailure)
    yield* checkDelegation(nameServers, request)
    return makeSingleRecordZoneClient<SpaceshipRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        // The API has no filter.
        listRecords: () => readRecords(api, path, timeouts),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, path, step, zone),
        canReplace: (before, after) =>
          before.type === after.type && before.value === after.value && before.priority === after.priority,
        checkRecord: makeSpaceshipCheck(request)
      },
      request
    )
  })
})

/** Those of every zone, by Spaceship's SDK; a call that tells them needs another scope. */
const nameServers = ["launch1.spaceship.net", "launch2.spaceship.net"]

const authorizeWith = (credential: Credential): Either.Either<ApiAuthorization, ProviderFailure> =>
  credential._tag === "api_key_secret" &&
  [credential.apiKey, credential.apiSecret].every((part) => /^[!-~]+$/.test(Redacted.value(part)))
    ? Either.right(inHeaders({ "x-api-key": credential.apiKey, "x-api-secret": credential.apiSecret }))
    : Either.left(
        new ProviderFailure({
          code: "credential_invalid",
          isLocal: true,
          detail: "Spaceship accepts an API key with its secret, in ASCII without spaces"
        })
      )

/** A page of the records of a zone. */
const SpaceshipPage = Schema.Struct({ items: longArray(SpaceshipRecord), total: Schema.Number })

/** Pages that begin after so many records. */
const bySkip = { perPage: 500, first: 0, toQuery: (skip: number) => ({ take: 500, skip, orderBy: "name" }) }

const readRecords = (
  api: JsonApi,
  path: string,
  { snapshot: timeout }: Timeouts
): Effect.Effect<ReadonlyArray<SpaceshipRecord>, ProviderError> =>
  api.list({
    path,
    paging: bySkip,
    schema: SpaceshipPage,
    // A page may be shorter than asked for.
    toPage: ({ items, total }, skip) => {
      const next = skip + items.length
      return { items, total, next: items.length > 0 && next < total ? next : undefined }
    },
    identify: (record) => JSON.stringify(record),
    // 300 calls in five minutes.
    pause: "1 second",
    timeout
  })

/** Without `force`, Spaceship refuses a record that conflicts with others. A record that is replaced gets another TTL only. */
const writeStep = (
  api: JsonApi,
  path: string,
  step: RecordStep<SpaceshipRecord>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  const send = (method: "DELETE" | "PUT", body: unknown) =>
    Effect.flatMap(api.send({ method, path, body }), requireNoContent)
  return step.action === "remove"
    ? Effect.mapError(send("DELETE", [toStoredItem(step.stored)]), toRecordAbsent)
    : send("PUT", { force: false, items: [toNewItem(step.record, zone)] })
}
