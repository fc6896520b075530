// Drives Distilled's client of Hetzner's API, unaltered and at Hetzner's own address, with calls after each other:
// `hetzner.js '[["zoneRrsets.createZoneRrset", {"id_or_name": …}]]'`. Prints what the client returns as a JSON array: of a
// list the items of all pages, of a change the action when it has ended. The token is in HCLOUD_TOKEN, as for Hetzner's CLI.
import { CredentialsFromEnv, Services } from "@distilled.cloud/hetzner"
import { Effect, Layer, Schedule, Stream } from "effect"
import { FetchHttpClient } from "effect/unstable/http"

const { zoneActions, zoneRrsetActions, zoneRrsets, zones } = Services
const services = { zoneRrsetActions, zoneRrsets, zones }

const make = ([path, input]) =>
  Effect.gen(function* () {
    const [service, operation] = path.split(".")
    const call = services[service][operation]
    if (call.items !== undefined) return yield* Stream.runCollect(call.items(input))
    const returned = yield* call(input)
    if (returned.action === undefined) return returned
    const action = zoneActions.getZonesAction({ id: returned.action.id })
    const ended = yield* Effect.repeat(action, {
      until: ({ action }) => action.status !== "running",
      schedule: Schedule.spaced("100 millis")
    })
    return { ...returned, ...ended }
  })

const returned = await Effect.runPromise(
  Effect.provide(
    Effect.forEach(JSON.parse(process.argv[2]), make),
    Layer.merge(CredentialsFromEnv, FetchHttpClient.layer)
  )
)
console.log(JSON.stringify(returned))
