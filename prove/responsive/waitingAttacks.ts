import { Effect } from "effect"
import { type Attack, type AttackContext, expectAnswers, oneRecord } from "./Attack.ts"
import { computeSocketCount, countDescriptors, formatRawRequest, holdSockets } from "./heldSockets.ts"
import { silentDomains } from "./HostileNameServers.ts"
import { gateAtMost } from "./ProbeSummary.ts"

/** Prepares 200 requests of which 5,000 bytes of body are announced, and sent at one byte a second. */
const prepareSlowBodies = (context: AttackContext, path: string, headers: ReadonlyArray<string>) => {
  const framing = ["content-type: application/json", "content-length: 5000"]
  const plan = {
    requests: [formatRawRequest("POST", path, [...headers, ...framing], "{")],
    count: 200,
    perSecond: 200,
    isResponseRead: true,
    hasSlowBody: true
  }
  const play = Effect.gen(function* () {
    const { pid } = context.service
    const descriptorsBefore = countDescriptors(pid)
    let descriptors = 0
    const observe = Effect.delay(
      Effect.sync(() => void (descriptors = countDescriptors(pid) - descriptorsBefore)),
      context.size(9_000, 0)
    )
    const status = yield* holdSockets(context, plan, observe)
    return {
      answers: status.answers,
      figures: { descriptors, endedByServer: status.endedByServer, bytesWritten: status.bytesWritten },
      targets: [
        expectAnswers("bodies", { answers: status.answers, sent: 200 }, ["unanswered", "408"]),
        // The short form ends before the grace of a body is over. A proxy may pass on the 408 only when the body has ended.
        ...(context.size(1, 0) === 0 ? [] : [gateAtMost("descriptors that bodies hold after 9 s", descriptors, 20)])
      ]
    }
  })
  return Effect.succeed({ play })
}

/** Attacks by requests that take their time, or make the service wait. */
export const waitingAttacks: ReadonlyArray<Attack> = [
  {
    name: "slow-bodies",
    what: "200 requests whose body comes at one byte a second",
    prepare: (context) => prepareSlowBodies(context, "/v1/connections", [`x-api-key: ${context.attacker.key}`])
  },
  {
    name: "slow-redeems",
    what: "the same without any key, to redeem a share link",
    prepare: (context) => {
      const { url } = context.service.attackers
      return prepareSlowBodies(context, "/v1/share-links/redeem", [`origin: ${url}`, "sec-fetch-site: same-origin"])
    }
  },
  {
    name: "idle-sockets",
    what: "2,000 sockets that send nothing, and 2,000 whose request comes at one byte a second",
    prepare: (context) => {
      const { service, size, traffic } = context
      const { hostname, port } = service.attackers
      const { count } = computeSocketCount(size(4_000, 400))
      const plan = { count: Math.floor(count / 2), perSecond: 1_500, isResponseRead: true }
      const silent = { ...plan, requests: [""], hasSlowBody: false }
      const slow = { ...plan, requests: ["GET /healthz HTTP/1.1\r\nhost: 127.10.2.1\r\nx-slow: "], hasSlowBody: true }
      return Effect.succeed({
        play: Effect.map(
          holdSockets(context, silent, traffic("openSockets", { hostname, port, ...slow })),
          (status) => ({
            answers: status.answers,
            figures: { bytesWritten: status.bytesWritten },
            targets: [expectAnswers("sockets", { answers: status.answers, sent: count }, ["unanswered", "408"])]
          })
        )
      })
    }
  },
  {
    name: "waiting-requests",
    what: "1,000 requests that wait for the plans of 20 connections to silent domains (Prefer: wait)",
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker, size } = context
        const [domains, count, seconds] = [silentDomains.slice(0, size(20, 8)), size(1_000, 80), size(5, 1)]
        const creations = domains.map((domain) => ({
          body: { intent: { domain, records: oneRecord } },
          headers: { "idempotency-key": `waiting-${domain}` }
        }))
        yield* Effect.forEach(creations, ({ body, headers }) =>
          Effect.orDie(attacker.api.post("/v1/connections", body, headers))
        )
        // The repetitions of the creations, which wait as well.
        const requests = creations.map(({ body, headers }) => {
          const text = JSON.stringify(body)
          const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
          return formatRawRequest(
            "POST",
            "/v1/connections",
            [
              ...lines,
              `x-api-key: ${attacker.key}`,
              `prefer: wait=${seconds}`,
              "content-type: application/json",
              `content-length: ${text.length}`
            ],
            text
          )
        })
        const plan = { requests, count, perSecond: 1_500, isResponseRead: true, hasSlowBody: false }
        const play = Effect.map(holdSockets(context, plan), ({ answers }) => ({
          answers,
          targets: [expectAnswers("requests", { answers, sent: count }, ["201"])]
        }))
        return { play }
      })
  }
]
