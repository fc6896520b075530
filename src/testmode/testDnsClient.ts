import { Effect, Either, Fiber, Layer, Runtime } from "effect"
import { DnsClient } from "../dns/transport/DnsClient.ts"
import type { Endpoint } from "../dns/transport/Endpoint.ts"
import { failWithNoAnswer, type Query, type QueryOutcome } from "../dns/transport/Query.ts"
import { type Message, nameError, type Question, type ResourceRecord } from "../dns/wire/Message.ts"
import { isAtOrBelow } from "../domain/names/DomainName.ts"
import { backgroundPriority } from "../runtime/PriorityScheduler.ts"
import { findTestZone, nameServersOf, providerLabelOf, sharedLabel, topLevelDomain } from "./TestZoneName.ts"
import { readRequester, TestZones } from "./TestZones.ts"
import { answerQuestion, emptyMessage, soaOf } from "./answerQuestion.ts"

/** The resolver of test mode, which nothing listens at. */
export const testResolver: Endpoint = { host: "192.0.2.53", port: 53 }

/**
 * The DNS of test mode: a registry of `.test`, the name servers of its zones, and a resolver, all in this process. It sends
 * nothing. Names outside `.test` are those of the platform: each has an address of a documentation network, and a policy of
 * senders that needs no further look-up.
 */
export const testDnsClient = Layer.effect(
  DnsClient,
  Effect.zipWith(TestZones, Effect.runtime<never>(), (zones, runtime) => {
    /** Runs what answers a query in a fiber of its own, which begins after the query has returned. */
    const toQuery =
      (answer: Effect.Effect<QueryOutcome<Message>>): Query<Message> =>
      (onOutcome) => {
        let isStopped = false
        const fiber = Runtime.runFork(runtime)(
          Effect.withSchedulingPriority(Effect.zipRight(Effect.yieldNow(), answer), answerPriority)
        )
        fiber.addObserver((exit) => {
          if (isStopped) return
          onOutcome(exit._tag === "Success" ? exit.value : failWithNoAnswer("server_failure"))
        })
        return () => {
          isStopped = true
          Runtime.runFork(runtime)(Fiber.interruptFork(fiber))
        }
      }

    const askServer = (address: string, question: Question, requester: string) =>
      Effect.gen(function* () {
        if (address === registryAddress) return Either.right(askRegistry(question))
        const server = serverAt(address)
        const found = findTestZone(question.name)
        if (found === undefined) return failWithNoAnswer("refused")
        const { delegation } = found.domain
        const place = nameServersOf(found.domain).indexOf(server ?? "")
        if (place < 0 || delegation === "lame") return failWithNoAnswer("refused")
        if (delegation === "silent") return failWithNoAnswer("timed_out")
        const zone = yield* zones.read(readRequester(requester), found)
        return Either.right(answerQuestion({ zone: found.zone, sets: zone.shownAt(place) }, question, findOutside))
      }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(failWithNoAnswer("server_failure"))))

    /** Answers as a resolver does, from the servers of the zone; the last server serves a write last. */
    const resolve = (question: Question, requester: string): Effect.Effect<QueryOutcome<Message>> =>
      Effect.gen(function* () {
        const { name, type } = question
        const address = type === "A" ? addressOf(name) : undefined
        if (address !== undefined)
          return Either.right({ ...emptyMessage, answers: [{ name, type, ttl, value: address }] })
        if (!isAtOrBelow(name, topLevelDomain)) return Either.right(answerOutside(question))
        const found = findTestZone(name)
        const isDelegated = found !== undefined && !undelegated.has(found.domain.delegation)
        if (!isDelegated) return Either.right(askRegistry(question))
        const server = nameServersOf(found.domain).at(-1) ?? ""
        const answer = yield* askServer(addressOf(server) ?? "", question, requester)
        if (Either.isLeft(answer)) return failWithNoAnswer("server_failure")
        const [first] = answer.right.answers
        if (first?.type !== "CNAME" || type === "CNAME") return answer
        const target = yield* resolve({ name: first.value, type }, requester)
        return Either.map(target, (message) => ({ ...message, answers: [first, ...message.answers] }))
      })

    return {
      query: (address, question, { requester }) => toQuery(askServer(address, question, requester)),
      resolve: (_resolver, question, requester) =>
        toQuery(
          Effect.map(
            resolve(question, requester),
            Either.map((message) => ({ ...message, aa: false, ra: true }))
          )
        )
    }
  })
)

/** Test mode takes turns with the phases of the tenants. */
const answerPriority = backgroundPriority + 0.5

/** The answer of the registry of `.test`: the delegation of a name with the addresses of its servers, or its absence. */
const askRegistry = ({ name, type }: Question): Message => {
  const found = findTestZone(name)
  if (name === topLevelDomain) {
    const answers = type === "NS" ? [{ name, type, ttl, value: registryServer }] : []
    return { ...emptyMessage, aa: true, answers, authorities: answers.length === 0 ? registrySoa : [] }
  }
  if (found === undefined || found.domain.delegation === "not_registered")
    return { ...emptyMessage, aa: true, rcode: nameError, authorities: registrySoa }
  const { domain, zone } = found
  if (type === "DS" && name === zone) {
    const answers = domain.isSigned === true ? [{ name, type, ttl, value: signature }] : []
    return { ...emptyMessage, aa: true, answers, authorities: answers.length === 0 ? registrySoa : [] }
  }
  if (domain.delegation === "no_name_servers") return { ...emptyMessage, aa: true, authorities: registrySoa }
  const servers = nameServersOf(domain)
  return {
    ...emptyMessage,
    authorities: servers.map((value) => ({ name: zone, type: "NS", ttl, value })),
    additionals: servers.map((server) => ({ name: server, type: "A", ttl, value: addressOf(server) ?? "" }))
  }
}

const registrySoa: ReadonlyArray<ResourceRecord> = [soaOf(topLevelDomain)]

/** A digest of a key that nobody has (RFC 4034 section 5.1). */
const signature = `1 13 2 ${"ab".repeat(32)}`

const undelegated: ReadonlySet<string | undefined> = new Set(["not_registered", "no_name_servers"])

const answerOutside = ({ name, type }: Question): Message => {
  const answers = findOutside(name, type).map((value): ResourceRecord => ({ name, type, ttl, value }))
  return { ...emptyMessage, answers, authorities: answers.length === 0 ? [soaOf(name)] : [] }
}

const findOutside = (_name: string, type: string): ReadonlyArray<string> =>
  type === "A" ? ["198.51.100.10"] : type === "TXT" ? ["v=spf1 ip4:198.51.100.0/24 -all"] : []

const ttl = 300

/** The server of the registry of `.test`. */
const registryServer = `a.nic.${topLevelDomain}`

/** The address of the registry. No packet is sent to it, nor to any other server here. */
const registryAddress = "192.0.2.1"

const addressOf = (server: string): string | undefined => addresses.get(server)

const serverAt = (address: string): string | undefined => servers.get(address)

/** The labels of the name servers below `.test`. */
const labels = [
  ...(["test-dns", "test-token-dns", "test-registrar", "unknown", "test-connect-dns"] as const).map(providerLabelOf),
  sharedLabel
]

const addresses: ReadonlyMap<string, string> = new Map([
  [registryServer, registryAddress],
  ...labels.flatMap((label, index) =>
    [1, 2].map((place) => [`ns${place}.${label}.${topLevelDomain}`, `192.0.2.${10 * (index + 1) + place}`] as const)
  )
])

const servers: ReadonlyMap<string, string> = new Map([...addresses].map(([server, address]) => [address, server]))
