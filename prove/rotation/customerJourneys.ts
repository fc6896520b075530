import { Effect, Schedule } from "effect"
import { HttpBrowser } from "../../test/support/HttpBrowser.ts"
import { type ApiClient, retryUntilAnswered } from "../ApiClient.ts"
import {
  type ConnectionJson,
  ConnectionStepFailed,
  createConnection,
  type DesiredConnection
} from "../connectionSteps.ts"

/** A client that connects one domain after the other. */
export interface Customer {
  readonly api: ApiClient
  readonly publicUrl: string
  /** The credential of the zones that take one. */
  readonly credential: object
  readonly client: number
}

/**
 * One customer's way to an active connection. In turn they consent together with the credential, give the credential first
 * and approve seconds later, or authorize by OAuth.
 */
export const journeyOf = (customer: Customer, nth: number, zones: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { api, client } = customer
    const kind = kinds[(nth + client) % kinds.length]
    const name = `c${client}-${nth}`
    const domain = kind === "oauth" ? "glued.com" : `${name}.${zones[client % zones.length]}`
    const desired = {
      idempotencyKey: name,
      domain,
      records: [{ host: kind === "oauth" ? name : "shop", type: "CNAME", value: "web.hostprov.net" }],
      credential: customer.credential
    }
    const { id } = yield* createConnection(api, desired)
    const connection = yield* waitFor(api, id, "awaiting_authorization")
    const body =
      kind === "oauth"
        ? { method: "oauth2_pkce" }
        : {
            method: "direct_credential",
            credential: customer.credential,
            ...(kind === "at_once" ? consentTo(connection) : {})
          }
    const authorized = yield* send(api, connection, "authorization", body, name)
    if (kind === "oauth") yield* visitProvider(customer.publicUrl, authorized.authorizeUrl)
    if (kind !== "at_once") {
      const planned = yield* waitFor(api, id, "planned")
      yield* Effect.sleep("2 seconds")
      yield* send(
        api,
        connection,
        "approval",
        { digest: planned.plan.digest, acknowledge: planned.plan.warnings },
        name
      )
    }
    yield* waitFor(api, id, "active")
    yield* repeatCreation(api, desired)
  })

/** For a minute. */
const tryAgain = Schedule.intersect(Schedule.spaced("300 millis"), Schedule.recurs(200))

const kinds = ["at_once", "credential_first", "oauth"] as const

/** Polls until the connection is in the state. Like a platform it retries where servers of the lab were too slow. */
const waitFor = (api: ApiClient, id: string, state: string): Effect.Effect<ConnectionJson, ConnectionStepFailed> =>
  Effect.gen(function* () {
    const { body } = yield* retryUntilAnswered(api.get(`/v1/connections/${id}`))
    const { failure, ...connection } = body.connection
    if (connection.state === state) return connection
    if (connection.state === "failed") {
      if (!slowness.has(failure.code)) return yield* new ConnectionStepFailed({ at: id, response: failure })
      yield* retryUntilAnswered(api.post(`/v1/connections/${id}/retry`, {}))
    }
    yield* Effect.sleep("150 millis")
    return yield* waitFor(api, id, state)
  })

const slowness: ReadonlySet<string> = new Set(["discovery_timeout", "provider_unavailable"])

const consentTo = ({ plan }: ConnectionJson) => ({ approvedDigest: plan.digest, acknowledge: plan.warnings })

const send = (api: ApiClient, { id }: ConnectionJson, command: string, body: object, name: string) =>
  retryUntilAnswered(
    api.post(`/v1/connections/${id}/${command}`, body, { "idempotency-key": `${name}-${command}` })
  ).pipe(
    Effect.filterOrFail(
      ({ status }) => status === 200,
      (response) => new ConnectionStepFailed({ at: command, response })
    ),
    Effect.map(({ body }): any => body)
  )

/** The browser goes to the provider and back; it loads again a page that asks it to try again shortly. */
const visitProvider = (publicUrl: string, authorizeUrl: string) =>
  Effect.gen(function* () {
    const browser = new HttpBrowser()
    const load = (url: string) =>
      Effect.promise(() => browser.load(url)).pipe(
        Effect.filterOrFail(({ status }) => status !== 503),
        Effect.retry({ schedule: tryAgain })
      )
    // A customer who does not come from a page of the platform confirms first.
    const confirmation = yield* Effect.flatMap(load(authorizeUrl), (page) => Effect.promise(() => page.text()))
    const goOn = /href="(http[^"]+)"/.exec(confirmation)?.[1]?.replaceAll("&#38;", "&")
    if (goOn === undefined) return yield* new ConnectionStepFailed({ at: "confirmation", response: confirmation })
    const back = yield* Effect.promise(() =>
      browser.follow(goOn, (next) => next.startsWith(`${publicUrl}/v1/oauth/callback`))
    )
    const page = yield* load(back)
    if (page.status !== 200) return yield* new ConnectionStepFailed({ at: "callback", response: page.status })
  })

/** The same request has the first answer again, and another body under its key is refused. */
const repeatCreation = (api: ApiClient, { domain, idempotencyKey, records }: Omit<DesiredConnection, "credential">) =>
  Effect.gen(function* () {
    const repeated = yield* create(api, idempotencyKey, { domain, records })
    const others = records.map((record) => ({ ...record, host: "another" }))
    const other = yield* create(api, idempotencyKey, { domain, records: others })
    const found = [repeated.status, repeated.headers.get("idempotent-replayed"), other.status, other.body.error?.code]
    if (found.join() !== "201,true,422,idempotency_key_reused")
      return yield* new ConnectionStepFailed({ at: "repetition", response: found })
  })

const create = (api: ApiClient, idempotencyKey: string, intent: object) =>
  retryUntilAnswered(
    api.post("/v1/connections", { intent, allowDuplicate: true }, { "idempotency-key": idempotencyKey })
  )
