import { Context, Effect, Layer, type Redacted } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { withLayer } from "../support/effectTest.ts"
import { eventually } from "../webhooks/Receiver.ts"
import { issueTestKey, requesterWith, shopRecords, testModeService } from "../testmode/testModeService.ts"
import { saveDocument } from "./recordedDocuments.ts"

/** The domains of test mode whose documents the tests of the component show. */
const recordings: Readonly<Record<string, (platform: Platform) => Effect.Effect<void, unknown>>> = {
  "a plan that was written in part": ({ authorizeAndApprove, connect, save }) =>
    Effect.gen(function* () {
      const records = ["shop", "app"].map((host) => ({ host, type: "CNAME", value: "shops.platform.example" }))
      const { id } = yield* connect("bakery-partial.test", records)
      yield* authorizeAndApprove(id, "failed")
      yield* save("partly-written", id)
    }),

  "a bakery with mail, and its setup by hand": ({ command, connect, save, waitFor }) =>
    Effect.gen(function* () {
      const { id } = yield* connect("crumb-and-co-mail.test", mailRecords)
      yield* save("review-with-mail", id)
      yield* command(id, "authorization", { method: "manual" })
      yield* waitFor(id, "awaiting_manual")
      yield* save("by-hand-with-mail", id)
    }),

  "a domain that only lacks the challenge": ({ connect, save }) =>
    Effect.gen(function* () {
      const { id } = yield* connect("bakery-by-hand.test", [{ host: "@", type: "A", value: "203.0.113.10" }])
      yield* save("challenge-only", id)
    }),

  "a long name": ({ connect, save }) =>
    Effect.gen(function* () {
      const records = [{ host: "longname".repeat(7), type: "CNAME", value: "shops.platform.example" }]
      const { id } = yield* connect(`${"longname".repeat(6)}-by-hand.test`, records)
      yield* save("long-name", id)
    }),

  "a key that was just given": ({ command, connect, saveAnswer }) =>
    Effect.gen(function* () {
      const { id, plan } = yield* connect("another-bakery-mail.test", mailRecords)
      const consent = { approvedDigest: plan.digest, acknowledge: plan.warnings }
      const credential = { apiToken: "any-token" }
      const { json } = yield* command(id, "authorization", { method: "direct_credential", credential, ...consent })
      yield* saveAnswer("authorized", json.connection)
    }),

  "name servers of several providers, and the customer's answer": ({ command, connect, save, waitFor }) =>
    Effect.gen(function* () {
      const { id, provider } = yield* connect("bakery-shared-servers.test")
      yield* save("shared-servers", id)
      const [first] = provider.detection.candidates
      yield* command(id, "provider", { provider: first.id })
      yield* waitFor(id, "awaiting_authorization")
      yield* save("shared-servers-answered", id)
    }),

  "servers that disagree after a write, and again after a disconnection": (platform) =>
    Effect.gen(function* () {
      const { authorizeAndApprove, command, connect, observe, save, waitFor } = platform
      const { id } = yield* connect("bakery-servers-disagree.test", siteRecords)
      yield* authorizeAndApprove(id, "verifying")
      yield* command(id, "recheck")
      yield* eventually(
        Effect.filterOrFail(observe(id), ({ records }) => records.every(({ observed }: any) => observed.length > 0))
      )
      yield* save("verifying", id)
      yield* command(id, "disconnect")
      yield* waitFor(id, "awaiting_authorization", "planned")
      yield* authorizeAndApprove(id, "disconnecting")
      yield* save("disconnecting", id)
    }),

  "the removal of a shop without mail": ({ authorizeAndApprove, command, connect, read, save }) =>
    Effect.gen(function* () {
      const { id } = yield* connect("small-bakery-token-only.test", siteRecords.slice(0, 2))
      yield* authorizeAndApprove(id, "active")
      yield* command(id, "disconnect")
      yield* eventually(Effect.filterOrFail(read(id), ({ plan }) => plan !== undefined))
      yield* save("disconnect-review-without-mx", id)
    }),

  "a zone that the provider has locked": ({ authorizeAndApprove, connect, save }) =>
    Effect.gen(function* () {
      const { id } = yield* connect("bakery-locked.test")
      yield* authorizeAndApprove(id, "failed")
      yield* save("locked-zone", id)
    }),

  "a provider whose API is down": ({ authorizeAndApprove, connect, save }) =>
    Effect.gen(function* () {
      const { id } = yield* connect("bakery-provider-down.test")
      yield* authorizeAndApprove(id, "failed")
      yield* save("provider-down", id)
    }),

  "a domain whose provider is not known yet": ({ save, send }) =>
    Effect.gen(function* () {
      const intent = { domain: "bakery-silent.test", records: shopRecords }
      const { json } = yield* send("POST", "/v1/connections", { intent }, { "idempotency-key": "looking" })
      yield* save("looking", json.connection.id)
    }),

  "a sign-in": ({ command, connect, save, waitFor, walk }) =>
    Effect.gen(function* () {
      const { id } = yield* connect("bakery-one-click.test")
      yield* save("review-with-sign-in", id)
      const { json } = yield* command(id, "authorization", { method: "oauth2_pkce" })
      yield* save("signing-in", id)
      yield* walk(json.authorizeUrl, "Deny")
      yield* waitFor(id, "failed", "awaiting_authorization")
      yield* save("sign-in-denied", id)
    })
}

const mailRecords = [
  { host: "www", type: "CNAME", value: "shops.platform.example" },
  { host: "@", type: "MX", value: "mx1.platform.example", priority: 10 },
  { host: "@", type: "TXT", value: "v=spf1 include:mail.platform.example -all" },
  { host: "shop._domainkey", type: "TXT", value: `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(6)}` }
]

const siteRecords = [
  { host: "@", type: "A", value: "203.0.113.80" },
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "@", type: "TXT", value: "v=spf1 a:web.hostprov.net ~all" }
]

/** What a platform does in test mode, and the recording of a connection. */
type Platform = Effect.Effect.Success<ReturnType<typeof makePlatform>>

const makePlatform = (key: string) =>
  Effect.map(requesterWith(key), (requester) => {
    const observe = (id: string) =>
      Effect.map(requester.send("GET", `/v1/connections/${id}/records`), ({ json }) => json)
    /** Saves a connection as a command has answered it. */
    const saveAnswer = (name: string, connection: any) =>
      Effect.map(observe(connection.id), (observations) => saveDocument(name, { connection, observations }))
    const save = (name: string, id: string) =>
      Effect.flatMap(requester.read(id), (connection) => saveAnswer(name, connection))
    return { ...requester, observe, save, saveAnswer }
  })

/** Records the documents of test mode, one test each. */
export const recordTestMode = () => {
  const service = Layer.unwrapScoped(
    Effect.map(freshTestModeDatabase, (database) =>
      Layer.merge(testModeService(urlOf(database)), Layer.succeed(RecordedDatabase, urlOf(database)))
    )
  )
  withLayer("a record of test mode:", service, (live) => {
    for (const [title, recordOf] of Object.entries(recordings))
      live(title, () =>
        Effect.gen(function* () {
          const key = yield* issueTestKey(yield* RecordedDatabase)
          yield* recordOf(yield* makePlatform(key))
        })
      )
  })
}

/** The database of the service that is recorded. */
class RecordedDatabase extends Context.Tag("test/RecordedDatabase")<RecordedDatabase, Redacted.Redacted>() {}
