import { icannDomainOf } from "../../domain/DomainName.ts"
import { type FairSemaphore, makeFairSemaphore } from "../../runtime/FairSemaphore.ts"
import { LruMap } from "../../runtime/LruMap.ts"
import type { Message, Question } from "../wire/Message.ts"
import type { DestinationLimits } from "./Destination.ts"
import { makeAnsweringPacer, type Pacer } from "./Pacer.ts"

/**
 * The limits of the questions that resolvers send on to the servers of third parties: by registered domain, over all
 * requesters and resolvers, those of one address that answers.
 */
interface ResolverLimits {
  /** Whether the resolver still has its answer in its cache, so that the question reaches nobody else. */
  readonly isCached: (resolver: string, question: Question, nowMillis: number) => boolean
  /** Notes for how long the resolver keeps its answer. */
  readonly noteAnswer: (resolver: string, question: Question, answer: Message, nowMillis: number) => void
  /** The limits of the registered domain that a name is in. */
  readonly findDomain: (name: string) => DomainLimits
}

/** The limits of the questions about names of one registered domain. */
interface DomainLimits {
  /** A question without records of its type keeps its permit for `uselessKeptMillis` after its end. */
  readonly semaphore: FairSemaphore
  readonly pacer: Pacer
}

/** Makes the limits of the operator's resolvers. */
export const makeResolverLimits = ({
  maxInFlight,
  queriesPerSecond
}: Pick<DestinationLimits, "maxInFlight" | "queriesPerSecond">): ResolverLimits => {
  const domains = new LruMap<string, DomainLimits>(maxDomains)
  const cachedUntil = new LruMap<string, number>(maxCachedQuestions)
  return {
    isCached: (resolver, question, now) => (cachedUntil.get(keyOf(resolver, question)) ?? -Infinity) > now,
    noteAnswer: (resolver, question, answer, now) => {
      const seconds = Math.min(lifetimeOf(answer), maxLifetimeSeconds)
      if (seconds > 0) cachedUntil.set(keyOf(resolver, question), now + seconds * 1_000)
    },
    findDomain: (name) => {
      const domain = icannDomainOf(name)
      const limits = domains.get(domain) ?? {
        semaphore: makeFairSemaphore({
          permits: maxInFlight,
          reserved: Math.ceil(maxInFlight / 9),
          maxQueued,
          isFewestFirst: true
        }),
        pacer: makeAnsweringPacer(queriesPerSecond)
      }
      domains.set(domain, limits)
      return limits
    }
  }
}

/** Whether an answer has records of the type, at the name or at the end of its aliases. */
export const hasRecords = ({ answers }: Message, { type }: Question): boolean =>
  answers.some((record) => record.type === type)

const keyOf = (resolver: string, { name, type }: Question): string => `${resolver} ${name} ${type}`

/** The seconds that a resolver keeps an answer: the shortest TTL of its records, and that of the SOA of a denial. */
const lifetimeOf = ({ answers, authorities }: Message): number => {
  const lifetimes = [...answers, ...authorities.filter(({ type }) => type === "SOA")].map(({ ttl }) => ttl)
  return lifetimes.length === 0 ? 0 : Math.min(...lifetimes)
}

const maxDomains = 10_000
const maxCachedQuestions = 20_000

/** Resolvers drop what nobody asks for. */
const maxLifetimeSeconds = 300

/** Questions that wait for one registered domain. */
const maxQueued = 1_000
