import { Effect, Redacted } from "effect"
import { crc32 } from "node:zlib"
import { randomBase62, toBase62 } from "../../src/security/secrets.ts"
import { issueTestKey } from "../../test/testmode/testModeService.ts"
import { makeApiClient } from "../ApiClient.ts"
import {
  type Attack,
  type AttackContext,
  attackerOrigin,
  browserHeaders,
  createAttackConnection,
  createConnectionWithToken,
  expectAnswers,
  issueToken,
  oneRecord,
  type PreparedAttack,
  serverHeaders
} from "./Attack.ts"
import { attackerZone } from "./attackZones.ts"
import type { AttackRequest, Flood } from "./attackTrafficProcess.ts"

const digest = `sha-256:${"0".repeat(64)}`

const makePostRequest = (path: string, headers: AttackRequest["headers"], body: object): AttackRequest => ({
  method: "POST",
  path,
  headers,
  body: JSON.stringify(body)
})

/** Prepares an attack that sends the requests at a rate and expects these statuses. */
const prepareFlood = (
  { millis, service, traffic }: AttackContext,
  { forMillis = millis, ...flood }: Omit<Flood, "url" | "millis"> & { readonly forMillis?: number },
  statuses: ReadonlyArray<string>
): PreparedAttack => ({
  play: Effect.map(traffic("flood", { url: service.attackers.url, millis: forMillis, ...flood }), (result) => ({
    answers: result.answers,
    targets: [expectAnswers("requests", result, statuses)]
  }))
})

/** Prepares an attack with these bodies for the commands of a connection, each sent with an API key and with a browser token. */
const prepareCommandFlood = (
  bodiesFor: (connectionPath: string) => ReadonlyArray<readonly [path: string, body: object]>
): Attack["prepare"] => {
  return (context) =>
    Effect.map(createConnectionWithToken(context.attacker, attackerZone), ({ connection, token }) => {
      const headers = [browserHeaders(token, attackerOrigin), serverHeaders(context.attacker.key)]
      const requests = bodiesFor(`/v1/connections/${connection.id}`).flatMap(([path, body]) =>
        headers.map((header) => makePostRequest(path, header, body))
      )
      return prepareFlood(context, { requests, perSecond: 5 }, ["400", "413", "422"])
    })
}

/** Prepares a tenant of test mode with active connections in full zones, which creates more and moves the time of all. */
const prepareTestMode = (context: AttackContext) =>
  Effect.gen(function* () {
    const { service, size } = context
    const key = yield* Effect.orDie(issueTestKey(Redacted.make(service.database.url), "attacker"))
    const api = makeApiClient(service.attackers.url, key)
    const post = (path: string, body: object) => makePostRequest(path, serverHeaders(key), body)
    const prepareConnection = (nth: number) =>
      Effect.gen(function* () {
        const { id } = yield* createAttackConnection(api, `attack-${nth}-by-hand.test`)
        const at = `/v1/test/connections/${id}`
        yield* Effect.orDie(api.post(`${at}/change-records`, { records: fullZone }))
        yield* Effect.orDie(api.post(`${at}/enter-records`, {}))
        const another = {
          domain: `attack-${nth}-mail.test`,
          records: [{ host: "shop", type: "A", value: "203.0.113.9" }]
        }
        return [
          post(`${at}/advance`, { seconds: 3_600 }),
          post(`${at}/change-records`, { records: fullZone.slice(0, 10) }),
          post("/v1/connections", { intent: another, allowDuplicate: true })
        ]
      })
    const requests = yield* Effect.forEach(Array.from({ length: size(20, 6) }).keys(), prepareConnection)
    const flood = { requests: requests.flat(), perSecond: size(100, 40) }
    return prepareFlood(context, flood, ["200", "201", "409"])
  })

/** Nearly as many records as a test zone takes. */
const fullZone = Array.from({ length: 24 }, (_, nth) => ({
  host: `host-${nth}`,
  type: "A",
  values: Array.from({ length: 20 }, (_, last) => `203.0.113.${last}`)
}))

/** Words that are no warnings, with as many bytes of JSON. */
const wordsOf = (bytes: number) => Array.from({ length: Math.floor(bytes / 12) }, (_, nth) => `w${10_000_000 + nth}`)

/** Prepares an attack that acknowledges this many bytes of words that are no warnings. */
const prepareAcknowledgementFlood = (bytes: number): Attack["prepare"] =>
  prepareCommandFlood((path) => [
    [`${path}/approval`, { digest, acknowledge: wordsOf(bytes) }],
    [
      `${path}/authorization`,
      { method: "direct_credential", credential: { apiToken: "none" }, acknowledge: wordsOf(bytes) }
    ]
  ])

const unknownFields = Object.fromEntries(Array.from({ length: 5_000 }, (_, nth) => [`field${nth}`, nth]))

/** A valid intent of 160 KB, whose SPF record alone refers to 80 others. */
const largeIntent = {
  domain: attackerZone,
  records: [
    ...Array.from({ length: 100 }, (_, nth) => ({
      host: `t${nth}`,
      type: "TXT",
      value: `${nth} ${"x".repeat(1_500)}`
    })),
    {
      host: "@",
      type: "TXT",
      value: `v=spf1 ${Array.from({ length: 80 }, (_, nth) => `include:spf${nth}.example.net`).join(" ")} ~all`
    }
  ]
}

/** Makes creations of so many connections, each twice in a row, with an external id and an intent that only one may have. */
const makeDuplicateCreations = (key: string, count: number) =>
  Array.from({ length: count }, (_, nth) => {
    const intent = { domain: `duplicate-${nth}.com`, records: oneRecord }
    const create = makePostRequest("/v1/connections", serverHeaders(key), { intent, externalId: `duplicate-${nth}` })
    return [create, create]
  }).flat()

/** Makes an API key that is valid in form but was never issued: the service has to look it up. */
const makeUnknownKey = () => {
  const body = `dck_live_${randomBase62(43)}`
  return body + toBase62(crc32(body), 6)
}

/** Makes three times so many requests, with an unknown key, a malformed key and an unknown token each. */
const makeInvalidRequests = ({ service }: AttackContext, count: number) => {
  const path = `/v1/connections/${service.victim.connectionId}`
  return Array.from({ length: count }, (): AttackRequest[] => [
    { method: "GET", path, headers: { "x-api-key": makeUnknownKey() } },
    { method: "GET", path, headers: { "x-api-key": "dck_live_short" } },
    { method: "GET", path, headers: browserHeaders(`dct_${randomBase62(43)}`, attackerOrigin) }
  ]).flat()
}

/** Attacks by single requests, which one tenant, its customer or a stranger sends. */
export const requestAttacks: ReadonlyArray<Attack> = [
  {
    name: "acknowledge-24k",
    what: "approvals and authorizations that acknowledge 24 KB of words that are no warnings",
    prepare: prepareAcknowledgementFlood(24_000)
  },
  {
    name: "acknowledge-146k",
    what: "the same with 146 KB",
    prepare: prepareAcknowledgementFlood(146_000)
  },
  {
    name: "put-back",
    what: "approvals that put back 10,000 records without any field",
    prepare: prepareCommandFlood((path) => [
      [`${path}/approval`, { digest, putBack: Array.from({ length: 10_000 }, () => ({})) }]
    ])
  },
  {
    name: "unknown-fields",
    what: "bodies with 5,000 unknown fields",
    prepare: prepareCommandFlood((path) => [
      [`${path}/approval`, { digest, ...unknownFields }],
      [`${path}/recheck`, unknownFields],
      [`${path}/authorization`, { method: "manual", ...unknownFields }]
    ])
  },
  {
    name: "large-intents",
    what: "as many creations of 160 KB of valid records as the default rate limit allows: four a second",
    prepare: (context) => {
      const create = { intent: largeIntent, allowDuplicate: true }
      const request = makePostRequest("/v1/connections", serverHeaders(context.attacker.key), create)
      return Effect.succeed(prepareFlood(context, { requests: [request], perSecond: 4 }, ["201"]))
    }
  },
  {
    name: "duplicate-creations",
    what: "300 connections that are created twice in the same moment, within a second: the database refuses the second",
    prepare: (context) =>
      Effect.sync(() => {
        const count = context.size(300, 120)
        const requests = makeDuplicateCreations(context.attacker.key, count)
        return prepareFlood(context, { requests, perSecond: 2 * count, forMillis: 1_000 }, ["201", "409"])
      })
  },
  {
    name: "foreign-origins",
    what: "browser tokens of the victim's own and of the attacker's customers, each 100 times a second, from a foreign origin",
    // The victim's server alone stays below this limit, and together with its customers' browsers it would not.
    environment: (size) => ({ RATE_LIMIT_PER_MINUTE: String(size(800, 220)) }),
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker, service } = context
        const { connection, token } = yield* createConnectionWithToken(attacker, attackerZone)
        const ofVictim = yield* issueToken(service.victim.api, service.victim.connectionId, "https://shop.example.net")
        const requests = [
          { id: connection.id, token },
          { id: service.victim.connectionId, token: ofVictim }
        ].map(({ id, token }) => ({
          method: "GET",
          path: `/v1/connections/${id}`,
          headers: browserHeaders(token, "https://foreign.example.org")
        }))
        return prepareFlood(context, { requests, perSecond: 200 }, ["403"])
      })
  },
  {
    name: "request-burst",
    what: "1,200 reads of a connection and of a list within a second",
    prepare: (context) =>
      Effect.map(createConnectionWithToken(context.attacker, attackerZone), ({ connection }) => {
        const headers = { "x-api-key": context.attacker.key }
        const requests = [`/v1/connections/${connection.id}`, "/v1/connections?limit=100"].map(
          (path): AttackRequest => ({ method: "GET", path, headers })
        )
        const burst = { requests, perSecond: context.size(1_200, 400), forMillis: 1_000 }
        return prepareFlood(context, burst, ["200"])
      })
  },
  {
    name: "invalid-keys",
    what: "requests with malformed and with unknown API keys and browser tokens",
    hasNewKeys: true,
    prepare: (context) =>
      Effect.sync(() => prepareFlood(context, { requests: makeInvalidRequests(context, 300), perSecond: 300 }, ["401"]))
  },
  {
    name: "refused-keys",
    what: "the same beyond the default limit of refused credentials of an address, which is not the victim's",
    hasNewKeys: true,
    environment: () => ({ REFUSED_CREDENTIALS_PER_MINUTE: "60" }),
    prepare: (context) =>
      Effect.sync(() => {
        const flood = { requests: makeInvalidRequests(context, 300), perSecond: 300 }
        return prepareFlood(context, flood, ["401"])
      })
  },
  {
    name: "spread-keys",
    what: "invalid keys from an address of its own each, behind a proxy that the service trusts; Caddy undoes that",
    hasNewKeys: true,
    environment: () => ({ TRUSTED_PROXIES: "127.0.0.0/8" }),
    prepare: (context) =>
      Effect.sync(() => {
        const requests = makeInvalidRequests(context, 1_000).map((request, nth) => ({
          ...request,
          headers: { ...request.headers, "x-forwarded-for": `192.0.${2 + (nth >> 8)}.${nth & 255}` }
        }))
        return prepareFlood(context, { requests, perSecond: 300 }, ["401"])
      })
  },
  {
    name: "test-mode",
    what: "a tenant of test mode changes full zones, moves time and creates connections, all at once",
    prepare: prepareTestMode
  }
]
