import { LruMap } from "../../limits/BoundedMap.ts"
import type { Message, Question } from "../wire/Message.ts"

/** The questions whose answers resolvers have in their caches, so that asking again reaches nobody else. */
interface ResolverCache {
  readonly isCached: (resolver: string, question: Question, nowMillis: number) => boolean
  /** Notes for how long the resolver keeps its answer. */
  readonly noteAnswer: (resolver: string, question: Question, answer: Message, nowMillis: number) => void
}

/** Makes the memory of the caches of the operator's resolvers. */
export const makeResolverCache = (): ResolverCache => {
  const cachedUntil = new LruMap<string, number>(maxCachedQuestions)
  return {
    isCached: (resolver, question, now) => (cachedUntil.get(keyOf(resolver, question)) ?? -Infinity) > now,
    noteAnswer: (resolver, question, answer, now) => {
      const seconds = Math.min(lifetimeOf(answer), maxLifetimeSeconds)
      if (seconds > 0) cachedUntil.set(keyOf(resolver, question), now + seconds * 1_000)
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

const maxCachedQuestions = 20_000

/** Resolvers drop answers that nobody asks for. */
const maxLifetimeSeconds = 300
