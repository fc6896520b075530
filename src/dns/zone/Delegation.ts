import { Array, Cache, Context, Data, Duration, Effect, Either, Exit, Layer, Option } from "effect"
import { DomainName, isAtOrBelow, parseDomain, selfAndAncestors } from "../../domain/DomainName.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { isUnreachable, NoAnswer } from "../transport/Query.ts"
import type { Message, ResourceRecord } from "../wire/Message.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import { type NameServer, ServerAnswer } from "./NameServer.ts"
import { makeResolutionContext, type ResolutionContext } from "./ResolutionContext.ts"
import { Resolver } from "./Resolver.ts"

/** Nothing is registered under the name: the registry's own servers say that it does not exist. */
export class DomainNotRegistered extends Data.TaggedError("DomainNotRegistered")<{ readonly domain: DomainName }> {}

/** Registered, but delegated to no name server that has an address to ask at. */
export class DomainHasNoNameServers extends Data.TaggedError("DomainHasNoNameServers")<{
  readonly domain: DomainName
}> {}

/** Every name server answers, and none has authority for the zone. */
export class ZoneNotFound extends Data.TaggedError("ZoneNotFound")<{ readonly domain: DomainName }> {}

/** Too few servers answered to say anything; nothing is known. */
export class DelegationTimedOut extends Data.TaggedError("DelegationTimedOut")<{ readonly domain: DomainName }> {}

/** Where the zone of a domain begins and who serves it. Names are sorted. */
export interface Delegation {
  readonly zone: DomainName
  /** At most eight of those that parent or child name. */
  readonly nameServers: ReadonlyArray<NameServer>
  readonly parentNameServers: ReadonlyArray<string>
  readonly childNameServers: ReadonlyArray<string>
  readonly hasParentChildMismatch: boolean
  /** Whether the parent holds a DS record for the zone. */
  readonly isSigned: boolean
}

/**
 * Finds zone cuts. What the resolvers know only shortens the way: the parent's own servers say where the zone is
 * delegated to, and the servers it is delegated to say that they have it. What was found is good for two seconds.
 */
export class Delegations extends Context.Tag("dns/Delegations")<
  Delegations,
  {
    readonly find: (
      domain: DomainName
    ) => Effect.Effect<Delegation, DomainNotRegistered | DomainHasNoNameServers | ZoneNotFound | DelegationTimedOut>
  }
>() {
  static readonly layer = Layer.effect(
    Delegations,
    Effect.gen(function* () {
      const client = yield* DnsClient
      const resolver = yield* Resolver
      const find = Effect.fn("Delegations.find")(
        function* (domain: DomainName) {
          const walk = yield* makeResolutionContext(client, resolver)
          return yield* descend(walk, domain, yield* knownCuts(walk, domain))
        },
        (found, domain) =>
          found.pipe(
            Effect.catchTag("NoAnswer", () => new DelegationTimedOut({ domain })),
            Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => new DelegationTimedOut({ domain }) })
          )
      )
      const found = yield* Cache.makeWith({
        capacity: 1_000,
        lookup: find,
        timeToLive: Exit.match({ onSuccess: () => freshFor, onFailure: () => Duration.zero })
      })
      return { find: (domain: DomainName) => found.get(domain) }
    })
  )
}

/** For the steps of one connection, which follow each other closely. */
const freshFor = Duration.seconds(2)

type Failure = DomainNotRegistered | DomainHasNoNameServers | ZoneNotFound | NoAnswer

/** A zone begins here. `referred`: its parent's own servers say so. */
interface Cut {
  readonly zone: string
  readonly nameServers: ReadonlyArray<string>
  readonly glue: ReadonlyArray<ResourceRecord>
  readonly referred: boolean
}

type Cuts = Array.NonEmptyReadonlyArray<Cut>

/** The cuts at the domain and above it as the resolvers know them, the deepest first. */
const knownCuts = (walk: ResolutionContext, domain: DomainName): Effect.Effect<Cuts, Failure> =>
  Effect.gen(function* () {
    const names = selfAndAncestors(domain)
    const answers = yield* Effect.forEach(names, (name) => Effect.either(walk.resolve({ name, type: "NS" })), {
      concurrency: "unbounded"
    })
    const cuts = Array.zip(names, answers).flatMap(([zone, answer]) => {
      const nameServers = Either.isRight(answer) ? nameServersOf(zone, answer.right.answers) : []
      return nameServers.length > 0 ? [{ zone, nameServers, glue: [], referred: false }] : []
    })
    const [deepest, parent] = cuts
    // Nothing, or a zone without a parent, counts only where every question was answered.
    if (deepest === undefined || (parent === undefined && canBeOwned(deepest.zone))) yield* Either.all(answers)
    if (Array.isNonEmptyArray(cuts)) return cuts
    return yield* Array.getRights(answers).some(isProven) ? new DomainNotRegistered({ domain }) : noWordOfRoot
  })

/** A negative answer names the zone that says so (RFC 2308 section 2); a filter that lets nothing pass names none. */
const isProven = ({ authorities }: Message): boolean => authorities.some(({ type }) => type === "SOA")

const noWordOfRoot = new NoAnswer({ reason: "lame" })

/**
 * Asks the deepest zone's servers and its parent's at the same time. What they say proves the cut, or shows another to
 * go on with: deeper, where the resolvers did not know it, or higher, where they remember one that is gone.
 */
const descend = (walk: ResolutionContext, domain: DomainName, cuts: Cuts): Effect.Effect<Delegation, Failure> =>
  Effect.gen(function* () {
    const [deepest, ...higher] = cuts
    if (!canBeOwned(deepest.zone)) {
      const { below } = yield* askDownwards(walk, domain, deepest)
      return yield* descend(walk, domain, [yield* below, ...cuts])
    }
    const [parent] = higher
    const [{ below, signed }, claims, further] = yield* Effect.all(
      [
        parent === undefined ? Effect.succeed(noParent(deepest)) : askDownwards(walk, domain, parent, deepest.zone),
        askServers(walk, deepest, deepest.nameServers),
        deepest.zone === domain ? Effect.succeedNone : Effect.asSome(Effect.either(askDownwards(walk, domain, deepest)))
      ],
      { concurrency: "unbounded" }
    )
    if (Either.isLeft(below)) {
      return yield* Array.isNonEmptyReadonlyArray(higher) ? descend(walk, domain, higher) : below.left
    }
    if (below.right.zone !== deepest.zone) return yield* descend(walk, domain, [below.right, ...higher])
    const cut = below.right.referred ? below.right : deepest
    const proof = yield* confirm(walk, domain, cut, claims)
    const deeper = Option.isSome(further) ? Either.getRight((yield* further.value).below) : Option.none()
    return yield* Option.match(deeper, {
      onNone: () => conclude(walk, cut, proof, signed),
      onSome: (next) => descend(walk, domain, [next, cut, ...higher])
    })
  })

/** What a zone's servers know of the way down to the domain; `signed`: they hold a DS record for the expected cut. */
interface Downwards {
  readonly below: Either.Either<Cut, DomainNotRegistered | DomainHasNoNameServers>
  readonly signed: boolean
}

/** A private network may have no servers above its zones; then the zone's own word has to do. */
const noParent = (cut: Cut): Downwards => ({ below: Either.right(cut), signed: false })

const askDownwards = (
  walk: ResolutionContext,
  domain: DomainName,
  { glue, nameServers, zone }: Cut,
  expected?: string
): Effect.Effect<Downwards, NoAnswer> =>
  Effect.gen(function* () {
    const servers = yield* Effect.forEach(
      nameServers.slice(0, maxParentServers),
      (name) => Effect.option(walk.resolveNameServer(name, glue)),
      { concurrency: "unbounded" }
    )
    const ask = (name: string, type: RecordTypeName) => walk.query(Array.getSomes(servers), zone, { name, type })
    const [delegation, signer] = yield* Effect.all(
      [ask(domain, "NS"), expected === undefined ? Effect.succeedNone : Effect.asSome(ask(expected, "DS"))],
      { concurrency: 2 }
    )
    return { below: belowOf(delegation, domain, { zone, nameServers }), signed: Option.exists(signer, holdsSigner) }
  })

const holdsSigner = (answer: ServerAnswer): boolean =>
  answer._tag === "Authoritative" && answer.message.answers.some(({ type }) => type === "DS")

const belowOf = (
  answer: ServerAnswer,
  domain: DomainName,
  { nameServers, zone }: Pick<Cut, "nameServers" | "zone">
): Downwards["below"] =>
  ServerAnswer.$match(answer, {
    Referral: ({ glue, nameServers, zone }) =>
      Either.right({ zone, nameServers: nameServersOf(zone, nameServers), glue, referred: true }),
    Authoritative: ({ message }) => {
      // A server that also serves the zone below answers from that one and does not refer.
      const own = nameServersOf(domain, message.answers)
      const apex = own.length > 0 ? domain : message.authorities.find(({ type }) => type === "SOA")?.name
      if (apex !== undefined && apex !== zone && isAtOrBelow(apex, zone) && isAtOrBelow(domain, apex)) {
        return Either.right({ zone: apex, nameServers: own.length > 0 ? own : nameServers, glue: [], referred: false })
      }
      return Either.left(
        message.rcode === 0 ? new DomainHasNoNameServers({ domain }) : new DomainNotRegistered({ domain })
      )
    }
  })

/** What each server says who serves the zone, if it has authority for it. */
interface Claim {
  readonly nameServer: string
  readonly said: Either.Either<ReadonlyArray<string>, NoAnswer>
}

const askServers = (
  walk: ResolutionContext,
  { glue, zone }: Cut,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Claim>> =>
  Effect.forEach(
    names.slice(0, maxNameServers),
    (nameServer) =>
      walk.resolveNameServer(nameServer, glue).pipe(
        Effect.flatMap((server) => walk.query([server], zone, { name: zone, type: "NS" })),
        Effect.map((answer) => (answer._tag === "Authoritative" ? nameServersOf(zone, answer.message.answers) : [])),
        // No zone is without NS records at its apex: who has none has another zone, perhaps the one above.
        Effect.filterOrFail(Array.isNonEmptyReadonlyArray, () => new NoAnswer({ reason: "lame" })),
        Effect.either,
        Effect.map((said) => ({ nameServer, said }))
      ),
    { concurrency: "unbounded" }
  )

/** What the zone's servers say of it, and which of them say nothing. */
interface Proof {
  readonly childNameServers: ReadonlyArray<string>
  readonly silent: ReadonlyArray<string>
}

/**
 * What the zone's servers say of it, if one of those that it is delegated to has authority. Only where none of these
 * was asked yet does it need another round.
 */
const confirm = (
  walk: ResolutionContext,
  domain: DomainName,
  cut: Cut,
  claims: ReadonlyArray<Claim>
): Effect.Effect<Proof, Failure> =>
  Effect.gen(function* () {
    const heard = claims.filter(({ nameServer }) => cut.nameServers.includes(nameServer))
    const missing = cut.nameServers.filter((name) => !heard.some(({ nameServer }) => nameServer === name))
    const all = heard.some(({ said }) => Either.isRight(said))
      ? heard
      : [...heard, ...(yield* askServers(walk, cut, missing))]
    const [failures, spoken] = Array.separate(all.map(({ said }) => said))
    if (spoken.length === 0)
      return yield* verdict(
        domain,
        Array.map(failures, ({ reason }) => reason)
      )
    const silent = all.filter(({ said }) => Either.isLeft(said) && isUnreachable(said.left))
    return { childNameServers: sorted(spoken.flat()), silent: silent.map(({ nameServer }) => nameServer) }
  })

const verdict = (domain: DomainName, reasons: ReadonlyArray<NoAnswer["reason"]>): Failure => {
  const only = (...known: ReadonlyArray<NoAnswer["reason"]>) => reasons.every((reason) => known.includes(reason))
  if (only("address_not_reachable")) return new DomainHasNoNameServers({ domain })
  return only("address_not_reachable", "lame", "refused")
    ? new ZoneNotFound({ domain })
    : new NoAnswer({ reason: "timed_out" })
}

const conclude = (walk: ResolutionContext, cut: Cut, { childNameServers, silent }: Proof, signed: boolean) =>
  Effect.gen(function* () {
    const parentNameServers = cut.referred ? cut.nameServers : childNameServers
    const names = sorted([...cut.nameServers, ...childNameServers]).slice(0, maxNameServers)
    const nameServers = yield* Effect.forEach(
      names,
      (name) =>
        walk.resolveNameServer(name, cut.glue).pipe(
          Effect.orElseSucceed(() => ({ name, addresses: [] })),
          Effect.map((server) => (silent.includes(name) ? { ...server, wasUnreachable: true } : server))
        ),
      { concurrency: "unbounded" }
    )
    return {
      zone: DomainName.make(cut.zone),
      nameServers,
      parentNameServers,
      childNameServers,
      hasParentChildMismatch: parentNameServers.join() !== childNameServers.join(),
      isSigned: signed
    }
  })

const nameServersOf = (zone: string, records: ReadonlyArray<ResourceRecord>): ReadonlyArray<string> =>
  sorted(records.filter(({ name, type }) => type === "NS" && name === zone).map(({ value }) => value))

const sorted = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].toSorted()

/** A top-level domain or another public suffix is nobody's zone. */
const canBeOwned = (zone: string): boolean => Either.isRight(parseDomain(zone))

const maxNameServers = 8
const maxParentServers = 3
