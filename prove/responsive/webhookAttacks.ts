import { Effect } from "effect"
import { deliveryBounds } from "../../src/webhooks/DeliveryLoop.ts"
import {
  type Attack,
  type AttackContext,
  createAttackConnection,
  expectAnswers,
  oneRecord,
  serverHeaders
} from "./Attack.ts"
import { attackerZone } from "./attackZones.ts"
import type { AttackRequest } from "./attackTrafficProcess.ts"
import { startChildProcess } from "./ChildProcess.ts"
import type { HostileReceiversOperations } from "./hostileReceiversProcess.ts"
import { gateAtMost } from "./ProbeSummary.ts"
import { receiverBehaviours } from "./receiverBehaviours.ts"

/** As many as an application may have, which get all events of all its tenants, of the victim too. */
const receiverCount = 20

const createEndpoint = ({ attacker }: AttackContext, url: string) =>
  attacker.api.post("/v1/webhook-endpoints", { url }).pipe(
    Effect.filterOrFail(({ status }) => status === 201),
    Effect.map(({ body }): string => body.endpoint.id),
    Effect.orDie
  )

/** Attacks by the receivers of a platform's events. */
export const webhookAttacks: ReadonlyArray<Attack> = [
  {
    name: "webhook-receivers",
    what: "20 receivers that are silent, slow, endless or fail get events of new connections, tests and replays",
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker, millis, service, size, traffic } = context
        const call = yield* startChildProcess<HostileReceiversOperations>("hostileReceiversProcess.ts", 15)
        const hostname = "127.10.69.1"
        const port = yield* call("start", { hostname })
        const ids = yield* Effect.forEach(Array.from({ length: receiverCount }).keys(), (nth) =>
          createEndpoint(
            context,
            `http://${hostname}:${port}/${receiverBehaviours[nth % receiverBehaviours.length]}/${nth}`
          )
        )
        yield* Effect.forEach(
          Array.from({ length: size(60, 12) }),
          () => createAttackConnection(attacker.api, attackerZone),
          {
            concurrency: 5
          }
        )
        const headers = serverHeaders(attacker.key)
        const post = (path: string, body: object): AttackRequest => ({
          method: "POST",
          path,
          headers,
          body: JSON.stringify(body)
        })
        const creation = { intent: { domain: attackerZone, records: oneRecord }, allowDuplicate: true }
        const requests = ids.flatMap((id) => [
          post(`/v1/webhook-endpoints/${id}/replay`, { from: "2020-01-01T00:00:00.000Z" }),
          { method: "POST", path: `/v1/webhook-endpoints/${id}/test`, headers },
          post("/v1/connections", creation)
        ])
        const flood = { url: service.attackers.url, requests, perSecond: size(100, 40), millis }
        const play = Effect.gen(function* () {
          const result = yield* traffic("flood", flood)
          const { mostWaiting, requests } = yield* call("received", undefined)
          return {
            answers: result.answers,
            figures: { requests, mostWaiting },
            targets: [
              expectAnswers("requests", result, ["200", "201"]),
              ...receiverBehaviours.map((behaviour) => ({
                kind: "gate" as const,
                what: `requests to ${behaviour} receivers`,
                value: requests[behaviour],
                atLeast: 5
              })),
              // The receivers may see a connection that ended only after the next one has begun.
              gateAtMost("requests that wait for receivers", mostWaiting, 1.25 * deliveryBounds.perApplication)
            ]
          }
        })
        return { play }
      })
  }
]
