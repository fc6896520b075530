import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { createZones, largeZoneLines, recordsFor, typicalLines } from "../proofZones.ts"
import {
  type Attack,
  type AttackContext,
  createConnectionWithToken,
  createAttackConnection,
  expectAnswers,
  oneRecord,
  serverHeaders
} from "./Attack.ts"
import type { AttackTenant } from "./AttackedService.ts"
import { crowdedZone } from "./attackZones.ts"
import { countEach } from "../countEach.ts"

/** How many connections are authorized at once. */
const atOnce = 6

/** A zone that becomes large. */
interface LargeZone {
  readonly zone: string
  /** What each connection requests in the zone. */
  readonly records: ReadonlyArray<object>
  readonly create: (context: AttackContext) => Effect.Effect<void>
  /** Runs when the connections have been discovered: no name server could answer so many records of one host. */
  readonly enlarge?: (context: AttackContext) => Effect.Effect<void>
}

/** Prepares an attack that plans connections of a zone from the provider, six at once, again and again. */
const preparePlansFromProvider =
  ({ create, enlarge, records, zone }: LargeZone): Attack["prepare"] =>
  (context) =>
    Effect.gen(function* () {
      const { attacker, lab, millis, size } = context
      yield* create(context)
      yield* Effect.addFinalizer(() => lab.pdns.deleteZone(zone))
      const waves = yield* Effect.forEach(Array.from({ length: size(4, 1) }), () =>
        Effect.forEach(
          Array.from({ length: atOnce }, () => zone),
          (domain) => createAttackConnection(attacker.api, domain, records),
          { concurrency: atOnce }
        )
      )
      if (enlarge !== undefined) yield* enlarge(context)
      const play = Effect.gen(function* () {
        const endsAt = performance.now() + millis
        const outcomes: Array<string> = []
        for (const connections of waves) {
          if (performance.now() > endsAt) break
          const ended = yield* Effect.forEach(connections, ({ id }) => authorize(attacker, id, lab.pdns.key), {
            concurrency: atOnce
          })
          outcomes.push(...ended)
        }
        const plans = outcomes.filter((outcome) => outcome === "planned" || /large|many|limit/.test(outcome))
        const unfinished = outcomes.filter((outcome) => outcome === "unfinished" || outcome === "no response")
        return {
          answers: countEach(outcomes),
          targets: [
            {
              kind: "gate" as const,
              what: `authorizations that led to a plan or to a limit, of ${outcomes.length}`,
              value: plans.length === 0 ? 0 : plans.length + unfinished.length,
              atLeast: outcomes.length
            }
          ]
        }
      })
      return { play }
    })

/** Authorizes the service, and returns the state that follows, or the code of a failure. */
const authorize = ({ api }: AttackTenant, id: string, apiToken: string) =>
  Effect.gen(function* () {
    const { body, status } = yield* api.post(`/v1/connections/${id}/authorization`, {
      method: "direct_credential",
      credential: { apiToken }
    })
    if (status !== 200) return `authorization ${status} ${body?.error?.code}`
    const state = Effect.map(api.get(`/v1/connections/${id}`), ({ body }) => body?.connection)
    const { failure, state: ended } = yield* Effect.repeat(Effect.delay(state, "250 millis"), {
      until: (connection) => connection !== undefined && connection.state !== "authorized"
    })
    return failure === undefined ? String(ended) : `${ended} ${failure.code}`
  }).pipe(
    Effect.timeoutTo({ duration: "20 seconds", onSuccess: (outcome) => outcome, onTimeout: () => "unfinished" }),
    Effect.orElseSucceed(() => "no response")
  )

/** Replaces the records of a type at the apex by so many others. */
const setApex = ({ lab }: AttackContext, zone: string, type: string, count: number, content: (nth: number) => string) =>
  lab.pdns.patch(zone, [
    {
      name: `${zone}.`,
      type,
      ttl: 300,
      changetype: "REPLACE",
      records: Array.from({ length: count }, (_, nth) => ({ content: content(nth), disabled: false }))
    }
  ])

/** Copies a connection of the zone into living ones of a thousand tenants, half of them of the zone itself. */
const insertZoneTenants = ({ attacker, service, size }: AttackContext, id: string, domain: string) =>
  service.database.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into connections (id, application_id, tenant_id, state, domain, doc, progress)
        select 'con_' || lpad(n::text, 26, '0'), application_id,
          case when n % ${attackerShare}::int = 0 then ${attacker.name} else 'tenant' || n % 1000 end,
          'active', names.domain,
          replace(replace(doc, ${domain}, names.domain), '"state":"awaiting_authorization"', '"state":"active"'),
          jsonb_build_object(
            'enteredAt', to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'checks', 0, 'proven', true, 'wrote', true,
            'byHand', false, 'surveying', false, 'urgent', false
          )::text
        from generate_series(1, ${size(20_001, 4_001)}::int) n,
          lateral (select case when n % 2 = 0 then 's' || n || '.' else '' end || ${crowdedZone} as domain) names,
          connections
        where id = ${id}`
      yield* sql`
        insert into connection_hosts (reversed_name, connection_id)
        select distinct reverse(case record ->> 'host' when '@' then '' else (record ->> 'host') || '.' end || domain), id
        from connections, jsonb_array_elements(doc::jsonb #> '{effectiveIntent,records}') as record
        where state = 'active' and domain like ${`%${crowdedZone}`}`
      yield* sql`vacuum analyze connections, connection_hosts`
      const [row] = yield* sql<{ readonly living: number }>`
        select count(*)::int as living from connections
        where state = 'active' and doc::jsonb ->> 'state' = 'active' and domain like ${`%${crowdedZone}`}`
      return row?.living ?? 0
    })
  )

/** One in so many connections of the crowded zone is the attacker's own. */
const attackerShare = 101

/** Attacks by the size of a zone and by the number of connections in it. */
export const zoneAttacks: ReadonlyArray<Attack> = [
  {
    name: "large-zone",
    what: "plans from a provider's zone of 100,000 RRsets, six at once",
    prepare: preparePlansFromProvider({
      zone: "large.com",
      records: oneRecord,
      create: ({ lab, size }) => createZones(lab, ["large.com"], largeZoneLines(size(100_000, 20_000)))
    })
  },
  {
    name: "spf-records",
    what: "plans from a provider's zone with 20,000 SPF records at one host, six at once",
    prepare: preparePlansFromProvider({
      zone: "spf.com",
      records: [{ host: "@", type: "TXT", value: "v=spf1 ip4:198.51.100.9 -all" }],
      create: ({ lab }) => createZones(lab, ["spf.com"], typicalLines),
      enlarge: (context) =>
        setApex(
          context,
          "spf.com",
          "TXT",
          context.size(20_000, 4_000),
          (nth) => `"v=spf1 include:s${nth}.mailprov.net -all"`
        )
    })
  },
  {
    name: "caa-records",
    what: "plans from a provider's zone with 50,000 CAA records at one host, six at once",
    prepare: preparePlansFromProvider({
      zone: "caa.com",
      records: [{ host: "@", type: "CAA", value: '0 issue "pki.goog"' }],
      create: ({ lab }) => createZones(lab, ["caa.com"], typicalLines),
      enlarge: (context) =>
        setApex(context, "caa.com", "CAA", context.size(50_000, 10_000), (nth) => `0 issue "ca${nth}.example.net"`)
    })
  },
  {
    name: "crowded-zone",
    what: "20,001 living connections of 1,000 tenants in a zone, half of them at one host, discoveries and disconnects there",
    zones: [crowdedZone],
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker, millis, service, traffic } = context
        const domain = `template.${crowdedZone}`
        const { connection } = yield* createConnectionWithToken(attacker, domain)
        const living = yield* insertZoneTenants(context, connection.id, domain)
        const post = (path: string, body: object) => ({
          method: "POST",
          path: `/v1/connections${path}`,
          headers: serverHeaders(attacker.key),
          body: JSON.stringify(body)
        })
        const requests = Array.from({ length: 50 }, (_, nth) => [
          post("", { intent: { domain: crowdedZone, records: oneRecord }, allowDuplicate: true }),
          post(`/con_${String((nth + 1) * attackerShare).padStart(26, "0")}/disconnect`, {}),
          post("", {
            intent: { domain: `a${nth}.${crowdedZone}`, records: recordsFor(String(nth)) },
            allowDuplicate: true
          })
        ]).flat()
        const flood = { url: service.attackers.url, requests, perSecond: 3, millis }
        const play = Effect.map(traffic("flood", flood), (result) => ({
          answers: result.answers,
          targets: [
            expectAnswers("creations and disconnects", result, ["201", "200"]),
            {
              kind: "gate" as const,
              what: "living connections in the zone",
              value: living,
              atLeast: context.size(20_001, 4_001)
            }
          ]
        }))
        return { play }
      })
  }
]
