import { Context, Duration, Either, Layer, Option } from "effect"
import { randomInt } from "node:crypto"
import {
  defaultLimits,
  type Destination,
  type DestinationLimits,
  makeDestinations,
  makeDomainLimits,
  maxDestinations,
  type QueryLimits,
  type SendTime,
  uselessKeptMillis
} from "../../limits/Destination.ts"
import { LruMap } from "../../limits/BoundedMap.ts"
import { type FairQueue, makeFairQueue } from "../../limits/FairQueue.ts"
import { makePacer, type Pacer } from "../../limits/Pacer.ts"
import { type Endpoint, formatEndpoint, makeStandardEndpoint } from "./Endpoint.ts"
import { type FailureKind, type FailureMemory, makeFailureMemory, type ServerOfZone } from "./FailureMemory.ts"
import {
  afterDelay,
  countRefused,
  failWithNoAnswer,
  flatMapQuery,
  isRefusal,
  isUnreachable,
  makeFailedQuery,
  type Query,
  type QueryOutcome
} from "./Query.ts"
import { hasRecords, makeResolverCache } from "./ResolverCache.ts"
import { checkAuthority, checkResponseCode } from "./checkResponse.ts"
import { exchangeQuery } from "./exchangeQuery.ts"
import { withPermits } from "./withPermits.ts"
import { encodeQuery, formatError, isNotImplemented, type Message, type Question } from "../wire/Message.ts"
import { decodeResponse } from "../wire/decodeResponse.ts"
import { isOutboundAllowed, type Network } from "../../domain/names/IpAddress.ts"
import { isBasicType } from "../../domain/records/dnsTypes.ts"

/** Sends one question to one server: twice over UDP, then once over TCP, which a truncated response leads to as well. */
export class DnsClient extends Context.Tag("dns/DnsClient")<
  DnsClient,
  {
    /** Queries a server, without recursion; never a private address, nor beyond the limits (docs/decisions/0031). */
    readonly query: (address: string, question: Question, purpose: QueryPurpose) => Query<Message>
    /**
     * Asks a resolver of the operator, at any address. One requester may send as many queries per second as all may send to
     * an address that answers; all together as many about a registered domain (see `makeDomainLimits`).
     */
    readonly resolve: (
      resolver: Endpoint,
      question: Question,
      requester: string,
      purpose?: ResolvePurpose
    ) => Query<Message>
  }
>() {
  static readonly layer = (settings: {
    /** Networks that are allowed besides the public ones (`OUTBOUND_ALLOW`). */
    readonly allowed: ReadonlyArray<Network>
    /** The timeout of all tries at one server together, and of the wait while too many other queries are in flight; 2 s. */
    readonly timeout?: Duration.DurationInput
    /** The endpoint of the server at an address; port 53. */
    readonly dial?: (address: string) => Endpoint
    /** The limits for one address, where they differ from `defaultLimits`. */
    readonly limits?: Partial<DestinationLimits>
  }): Layer.Layer<DnsClient> => {
    const { allowed, dial = makeStandardEndpoint } = settings
    const timeoutMillis = Duration.toMillis(settings.timeout ?? "2 seconds")
    return Layer.sync(DnsClient, () => {
      const queue = makeFairQueue(processQueryLimits)
      const limits = { ...defaultLimits, ...settings.limits }
      const findDestination = makeDestinations(limits, queue)
      /** The names of an intent lead to questions that a resolver sends on, to servers of third parties. */
      const resolverPacers = new LruMap<string, Pacer>(maxDestinations)
      const findResolverPacer = (key: string) =>
        resolverPacers.getOrMake(key, () => makePacer({ perSecond: limits.queriesPerSecond }))
      const findDomainLimits = makeDomainLimits(limits)
      const resolverCache = makeResolverCache()
      const memory = makeFailureMemory()
      const sendToServer = (
        server: ServerOfZone & QueryPurpose,
        question: Question,
        trialAfter: FailureKind | undefined
      ): Query<Message> => {
        const destination = findDestination(server.address, performance.now())
        const queryLimits = trialAfter === "silence" ? destination.trials : destination.queries
        const reserveSendTime = () => queryLimits.reserveSendTime(performance.now())
        let isUseless = false
        const noteUse = (isUseful: boolean) => {
          isUseless = !isUseful
        }
        const query: Query<Message> = (onOutcome) => {
          // The server may have failed while the query waited for its permits.
          const failure = trialAfter === undefined ? memory.recall(server) : undefined
          if (failure !== undefined) return makeFailedQuery(failure)(onOutcome)
          const request = { server: dial(server.address), question, recursionDesired: false }
          const limits: SendLimits = {
            timeoutMillis,
            hasEdns: destination.takesEdns(performance.now()),
            noteEdnsAnswer: (isToRepetition) => destination.noteEdnsAnswer(isToRepetition, performance.now()),
            canResend: queryLimits.canResend,
            tryRepeat: () => (server.trySpend() ? Option.some(reserveSendTime()) : Option.none())
          }
          const sent = { server, question, destination, memory, timeoutMillis, noteUse }
          const { delayMillis, release } = reserveSendTime()
          return afterDelay(delayMillis, noteOutcome(sendQuery(request, limits), sent), release)(onOutcome)
        }
        // With hundreds of requesters at a silent address, each of their questions would wait to learn that.
        const onBusy = (busy: FairQueue) => {
          const isUnanswered = trialAfter === "silence" || !destination.isProven()
          if (busy !== queue && isUnanswered) memory.rememberSilence(server, "busy")
        }
        const keptMillis = () => (isUseless ? queryLimits.uselessKeptMillis() : 0)
        return withPermits(queryLimits.queues, { key: server.requester, timeoutMillis, onBusy, keptMillis }, query)
      }
      const sendToResolver =
        (server: Endpoint, question: Question, key: string, purpose: ResolvePurpose): Query<Message> =>
        (onOutcome) => {
          const resolver = formatEndpoint(server)
          const now = performance.now()
          const isCached = resolverCache.isCached(resolver, question, now)
          const domain = isCached ? undefined : findDomainLimits(question.name)
          const pacers = [findResolverPacer(`${key} ${resolver}`), ...(domain === undefined ? [] : [domain.pacer])]
          const delayMillis = Math.max(...pacers.map(({ reserve }) => reserve(now)))
          const release = () => pacers.forEach((pacer) => pacer.release())
          if (delayMillis > timeoutMillis) {
            release()
            countRefused("busy")
            return makeFailedQuery("busy")(onOutcome)
          }
          let isUseless = false
          const sent = sendQuery({ server, question, recursionDesired: true }, { ...unlimited, timeoutMillis })
          const query: Query<Message> = (onOutcome) => {
            isUseless = true
            return flatMapQuery(sent, (message) => {
              if (!message.ra) return failWithNoAnswer("lame")
              isUseless = !hasRecords(message, question)
              resolverCache.noteAnswer(resolver, question, message, performance.now())
              return Either.right(message)
            })(onOutcome)
          }
          const options = { key, timeoutMillis }
          const permitted =
            domain === undefined || purpose === "read"
              ? withPermits([queue], options, query)
              : withPermits(
                  [domain.queue, queue],
                  { ...options, keptMillis: () => (isUseless ? uselessKeptMillis : 0) },
                  query
                )
          return afterDelay(delayMillis, permitted, release)(onOutcome)
        }
      return {
        query: (address, question, purpose) => {
          if (!isOutboundAllowed(address, allowed)) return makeFailedQuery("address_not_reachable")
          const server = { address, ...purpose }
          return memory.guard(server, (trialAfter) => sendToServer(server, question, trialAfter))
        },
        resolve: (server, question, requester, purpose = "lookup") =>
          sendToResolver(server, question, requester, purpose)
      }
    })
  }
}

/** Why a resolver is asked: to look up any name, or to read a zone that is known to have the requester's records. */
export type ResolvePurpose = "lookup" | "read"

/** Why a server is queried: for records of the zone, on behalf of a requester (see `Requester`). */
export interface QueryPurpose {
  readonly zone: string
  readonly requester: string
  /** Spends one more query of whoever sends it, if one is left: a server may need it a second time, without EDNS. */
  readonly trySpend: () => boolean
}

/**
 * How many queries may be in flight; one requester may have 400 if no other needs them. Even with UDP and TCP open for
 * each, these need fewer than 1,024 open files.
 */
export const processQueryLimits = { permits: 448, reserved: 48, maxPerKey: 200, maxQueued: 20_000, maxMillisPerTurn: 1 }

interface QueryRequest {
  readonly server: Endpoint
  readonly question: Question
  readonly recursionDesired: boolean
}

interface SendLimits {
  /** The timeout of all tries together. */
  readonly timeoutMillis: number
  /** Whether the first packet has EDNS. */
  readonly hasEdns: boolean
  readonly noteEdnsAnswer: (isToRepetition: boolean) => void
  readonly canResend: QueryLimits["canResend"]
  /** When to send the query once more, without EDNS; none if the budget is spent. */
  readonly tryRepeat: () => Option.Option<SendTime>
}

/** The resolvers are the operator's. */
const unlimited: Omit<SendLimits, "timeoutMillis"> = {
  hasEdns: true,
  noteEdnsAnswer: () => {},
  canResend: () => true,
  tryRepeat: () => Option.some({ delayMillis: 0, release: () => {} })
}

interface SentQuery {
  readonly server: ServerOfZone
  readonly question: Question
  readonly destination: Destination
  readonly memory: FailureMemory
  readonly timeoutMillis: number
  /** Learns when the query is sent that it is no use so far, and whether it is when its outcome is known. */
  readonly noteUse: (isUseful: boolean) => void
}

/** Learns whether the server answers and serves the zone; a failure for a type that some do not know tells neither. */
const noteOutcome =
  (
    query: Query<Message>,
    { destination, memory, noteUse, question, server, timeoutMillis }: SentQuery
  ): Query<Message> =>
  (onOutcome) => {
    const sentAt = performance.now()
    noteUse(false)
    return query((received) => {
      const outcome = Either.flatMap(received, (message) => checkAuthority(message, question, server.zone))
      const isUseful = Either.isRight(outcome) && !isNotImplemented(outcome.right)
      noteUse(isUseful)
      if (isUseful) {
        destination.noteUsefulAnswer(performance.now())
        memory.forgetSilence(server)
        memory.forgetRefusal(server)
      } else if (Either.isRight(outcome) || !isUnreachable(outcome.left)) {
        destination.noteUselessAnswer(performance.now())
        memory.forgetSilence(server)
        if (Either.isLeft(outcome) && isRefusal(outcome.left) && isBasicType(question.type))
          memory.rememberRefusal(server, outcome.left.reason)
      } else if (
        isBasicType(question.type) &&
        !destination.hasAnsweredSince(sentAt) &&
        performance.now() - sentAt < timeoutMillis + maxDelayMillis
      ) {
        memory.rememberSilence(server, outcome.left.reason)
      }
      onOutcome(outcome)
    })
  }

/** A timer that is later shows that this process was busy: the answer may be waiting to be read. */
const maxDelayMillis = 100

/** A server that does not understand EDNS gets the query once more without it, in the time that is left. */
const sendQuery =
  (request: QueryRequest, limits: SendLimits): Query<Message> =>
  (onOutcome) => {
    const endsAt = performance.now() + limits.timeoutMillis
    const conclude = (outcome: QueryOutcome<Message>) => onOutcome(Either.flatMap(outcome, checkResponseCode(request)))
    let stop = exchangeQuery(toExchange(request, limits))((first) => {
      if (Either.isLeft(first) || first.right.rcode !== formatError) return conclude(first)
      stop = repeatWithoutEdns(request, limits, endsAt)(conclude)
    })
    return () => stop()
  }

/** Repeats a query without EDNS at a server that has answered, if a send time comes soon enough. */
const repeatWithoutEdns = (request: QueryRequest, limits: SendLimits, endsAt: number): Query<Message> =>
  Option.match(limits.tryRepeat(), {
    onNone: () => makeFailedQuery("budget_spent"),
    onSome: ({ delayMillis, release }) => {
      const timeoutMillis = endsAt - performance.now() - delayMillis
      if (timeoutMillis > 0) {
        return afterDelay(
          delayMillis,
          exchangeQuery(toExchange(request, { ...limits, timeoutMillis, hasEdns: false })),
          release
        )
      }
      release()
      return makeFailedQuery("busy")
    }
  })

const toExchange = (
  { question, recursionDesired, server }: QueryRequest,
  { canResend, hasEdns, noteEdnsAnswer, timeoutMillis }: SendLimits
) => {
  const id = randomInt(2 ** 16)
  const encode = (hasEdns: boolean) => encodeQuery({ id, question, recursionDesired, hasEdns })
  return {
    server,
    firstQuery: encode(hasEdns),
    encodePlain: () => encode(false),
    decode: (bytes: Uint8Array) => decodeResponse(bytes, { id, question }),
    timeoutMillis,
    canResend,
    noteAnswer: hasEdns ? noteEdnsAnswer : () => {}
  }
}
