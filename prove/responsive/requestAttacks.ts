import { Effect } from "effect"
import { crc32 } from "node:zlib"
import { randomBase62, toBase62 } from "../../src/security/secrets.ts"
import {
  type Attack,
  type AttackContext,
  attackerOrigin,
  browserHeaders,
  createConnectionWithToken,
  expectAnswers,
  issueToken,
  type PreparedAttack,
  serverHeaders
} from "./Attack.ts"
import { attackerZone } from "./attackZones.ts"
import type { AttackRequest, Flood } from "./attackTrafficProcess.ts"

const digest = `sha-256:${"0".repeat(64)}`

const post = (path: string, headers: AttackRequest["headers"], body: object): AttackRequest => ({
  method: "POST",
  path,
  headers,
  body: JSON.stringify(body)
})

/** Sends the requests at a rate, and expects these statuses. */
const floodAttack = (
  { millis, service, traffic }: AttackContext,
  flood: Omit<Flood, "url" | "millis">,
  statuses: ReadonlyArray<string>
): PreparedAttack => ({
  play: Effect.map(traffic("flood", { url: service.attackers.url, millis, ...flood }), (result) => ({
    answers: result.answers,
    targets: [expectAnswers("requests", result, statuses)]
  }))
})

/** Bodies for the commands of a connection, each sent with an API key and with a browser token. */
const commandFlood = (
  bodiesFor: (connectionPath: string) => ReadonlyArray<readonly [path: string, body: object]>
): Attack["prepare"] => {
  return (context) =>
    Effect.map(createConnectionWithToken(context.attacker, attackerZone), ({ connection, token }) => {
      const headers = [browserHeaders(token, attackerOrigin), serverHeaders(context.attacker.key)]
      const requests = bodiesFor(`/v1/connections/${connection.id}`).flatMap(([path, body]) =>
        headers.map((header) => post(path, header, body))
      )
      return floodAttack(context, { requests, perSecond: 5 }, ["400", "413", "422"])
    })
}

/** Words that are no warnings, with as many bytes of JSON. */
const wordsOf = (bytes: number) => Array.from({ length: Math.floor(bytes / 12) }, (_, nth) => `w${10_000_000 + nth}`)

const acknowledge = (bytes: number): Attack["prepare"] =>
  commandFlood((path) => [
    [`${path}/approval`, { digest, acknowledge: wordsOf(bytes) }],
    [
      `${path}/authorization`,
      { method: "direct_credential", credential: { apiToken: "none" }, acknowledge: wordsOf(bytes) }
    ]
  ])

const unknownFields = Object.fromEntries(Array.from({ length: 5_000 }, (_, nth) => [`field${nth}`, nth]))

/** Valid in form, but of nobody: the service has to look them up. */
const unknownKey = () => {
  const body = `dck_live_${randomBase62(43)}`
  return body + toBase62(crc32(body), 6)
}

/** Attacks by single requests, which one tenant, its customer or a stranger sends. */
export const requestAttacks: ReadonlyArray<Attack> = [
  {
    name: "acknowledge-24k",
    what: "approvals and authorizations that acknowledge 24 KB of words that are no warnings",
    prepare: acknowledge(24_000)
  },
  {
    name: "acknowledge-146k",
    what: "the same with 146 KB",
    prepare: acknowledge(146_000)
  },
  {
    name: "put-back",
    what: "approvals that put back 10,000 records without any field",
    prepare: commandFlood((path) => [
      [`${path}/approval`, { digest, putBack: Array.from({ length: 10_000 }, () => ({})) }]
    ])
  },
  {
    name: "unknown-fields",
    what: "bodies with 5,000 unknown fields",
    prepare: commandFlood((path) => [
      [`${path}/approval`, { digest, ...unknownFields }],
      [`${path}/recheck`, unknownFields],
      [`${path}/authorization`, { method: "manual", ...unknownFields }]
    ])
  },
  {
    name: "foreign-origins",
    what: "browser tokens of the victim's own and of the attacker's customers, each 100 times a second, from a foreign origin",
    // The victim's server alone stays below this limit, and together with its customers' browsers it would not.
    environment: (size) => ({ RATE_LIMIT_PER_MINUTE: String(size(800, 150)) }),
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
        return floodAttack(context, { requests, perSecond: 200 }, ["403"])
      })
  },
  {
    name: "invalid-keys",
    what: "requests with malformed and with unknown API keys and browser tokens",
    prepare: (context) =>
      Effect.sync(() => {
        const path = `/v1/connections/${context.service.victim.connectionId}`
        const requests = Array.from({ length: 300 }, (): AttackRequest[] => [
          { method: "GET", path, headers: { "x-api-key": unknownKey() } },
          { method: "GET", path, headers: { "x-api-key": "dck_live_short" } },
          { method: "GET", path, headers: browserHeaders(`dct_${randomBase62(43)}`, attackerOrigin) }
        ]).flat()
        return floodAttack(context, { requests, perSecond: 300 }, ["401"])
      })
  }
]
