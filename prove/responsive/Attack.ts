import { Effect, type Scope } from "effect"
import type { Target } from "../../bench/Report.ts"
import type { Lab } from "../../test/support/lab/Lab.ts"
import type { AttackedService, AttackTenant } from "./AttackedService.ts"
import type { AttackTrafficOperations, FloodResult } from "./attackTrafficProcess.ts"
import type { CallOperation } from "./ChildProcess.ts"
import type { HostileNameServers } from "./HostileNameServers.ts"

/** What an attack is played with. */
export interface AttackContext {
  readonly lab: typeof Lab.Service
  readonly service: AttackedService
  /** A tenant of its own for each attack. */
  readonly attacker: AttackTenant
  /** Sends the attackers' requests from another process. */
  readonly traffic: CallOperation<AttackTrafficOperations>
  readonly nameServers: HostileNameServers
  /** How long the attack sends. */
  readonly millis: number
  /** Chooses a size by the form of the proof. */
  readonly size: (full: number, short: number) => number
}

/** What shows that the attack really happened: the answers by status, further figures, and gates of this attack alone. */
export interface AttackEvidence {
  readonly answers: Readonly<Record<string, number>>
  readonly figures?: object
  readonly targets: ReadonlyArray<Target>
}

/** An attack that can be played at once. */
export interface PreparedAttack {
  readonly play: Effect.Effect<AttackEvidence>
}

/** Something that one tenant, its customer, a stranger or a foreign server does, while another tenant is served. */
export interface Attack {
  readonly name: string
  readonly what: string
  /** Settings of the service that differ. */
  readonly environment?: (size: AttackContext["size"]) => Readonly<Record<string, string>>
  /** The zones of the victim's discoveries; healthy ones of its own. */
  readonly zones?: ReadonlyArray<string>
  /** Whether the victim also uses keys that the service has not seen before. */
  readonly hasNewKeys?: true
  /** Its only gate is that the longest `get` misses its own: whoever does not see this sees no attack either. */
  readonly mustMissMaxGate?: true
  /** Prepares the attack. It is played while the victim is observed; its scope closes when it was played. */
  readonly prepare: (context: AttackContext) => Effect.Effect<PreparedAttack, never, Scope.Scope>
}

/** The headers of a request with a JSON body of a server. */
export const serverHeaders = (key: string) => ({ "x-api-key": key, "content-type": "application/json" })

/** The headers of a request with a JSON body of a browser. */
export const browserHeaders = (token: string, origin: string) => ({
  authorization: `Bearer ${token}`,
  origin,
  "content-type": "application/json"
})

/** The origin of the attackers' pages. */
export const attackerOrigin = "https://attacker.example.net"

/** Requests the plan of a connection, and a browser token for it. */
export const createConnectionWithToken = ({ api }: AttackTenant, domain: string, origin = attackerOrigin) =>
  Effect.gen(function* () {
    const connection = yield* createAttackConnection(api, domain)
    return { connection, token: yield* issueToken(api, connection.id, origin) }
  })

/** Creates a connection, and waits for its plan. */
export const createAttackConnection = (
  api: AttackTenant["api"],
  domain: string,
  records: ReadonlyArray<object> = oneRecord
) =>
  api.post("/v1/connections", { intent: { domain, records }, allowDuplicate: true }, { prefer: "wait=20" }).pipe(
    Effect.flatMap(({ body, status }) => expectStatus(201, status, body)),
    Effect.map(({ connection }) => connection),
    Effect.orDie
  )

/** A browser token for a connection. */
export const issueToken = (api: AttackTenant["api"], id: string, origin: string): Effect.Effect<string> =>
  api.post(`/v1/connections/${id}/access-token`, { origin }).pipe(
    Effect.flatMap(({ body, status }) => expectStatus(201, status, body)),
    Effect.map(({ accessToken }) => accessToken),
    Effect.orDie
  )

const expectStatus = (expected: number, status: number, body: any): Effect.Effect<any> =>
  status === expected ? Effect.succeed(body) : Effect.dieMessage(`${status} ${JSON.stringify(body)}`)

export const oneRecord = [{ host: "www", type: "CNAME", value: "web.hostprov.net" }]

/** The statuses with which the service may refuse any attack. */
const refusals = ["429", "503"]

/**
 * The gate that an attack really reached the service: nine in ten requests got one of these statuses or a refusal, or no
 * answer yet, and at least one got such an answer.
 */
export const expectAnswers = (
  what: string,
  { answers, sent }: FloodResult,
  statuses: ReadonlyArray<string>
): Target => {
  const countOf = (all: ReadonlyArray<string>) => all.reduce((sum, answer) => sum + (answers[answer] ?? 0), 0)
  const answered = countOf([...statuses, ...refusals])
  return {
    kind: "gate",
    what: `${what} with an expected answer or still without one, of ${sent}`,
    value: answered === 0 ? 0 : answered + countOf(["unanswered"]),
    atLeast: Math.max(1, 0.9 * sent)
  }
}
