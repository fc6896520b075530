import { Array, Effect, Either, Option } from "effect"
import { DomainName, isAtOrBelow, listSelfAndAncestors, parseDomain } from "../../domain/names/DomainName.ts"
import type { RecordTypeName } from "../../domain/records/dnsTypes.ts"
import { isUnreachable, NoAnswer, type ServerFailure } from "../transport/Query.ts"
import { type Message, nameError, noError, type ResourceRecord } from "../wire/Message.ts"
import {
  type Delegation,
  DelegationTimedOut,
  DomainHasNoNameServers,
  DomainNotRegistered,
  ZoneNotFound
} from "./Delegation.ts"
import { listChildNameServers, nameServersOf, sortNames } from "./apexNameServers.ts"
import { chooseNameServers } from "./chooseNameServers.ts"
import { ServerAnswer } from "./NameServer.ts"
import type { NamedAnswer, ResolutionContext } from "./ResolutionContext.ts"
import { isProven, resolverName } from "./Resolver.ts"

/** Finds the zone cut of a domain's zone. Resolvers are only a shortcut: the servers of parent and zone decide. */
export const findDelegation = (
  context: ResolutionContext,
  domain: DomainName
): Effect.Effect<Delegation, DelegationFailure> =>
  Effect.flatMap(findKnownCuts(context, domain), (cuts) => descend(context, domain, cuts))

export type DelegationFailure =
  | DomainNotRegistered
  | DomainHasNoNameServers
  | ZoneNotFound
  | DelegationTimedOut
  | NoAnswer

/** A zone cut. `isReferral`: the servers of the parent zone refer to it. */
interface ZoneCut {
  readonly zone: string
  readonly nameServers: ReadonlyArray<string>
  readonly glue: ReadonlyArray<ResourceRecord>
  readonly isReferral: boolean
}

type ZoneCuts = Array.NonEmptyReadonlyArray<ZoneCut>

/** The zone cuts at the domain and above it as the resolvers know them, the deepest first. */
const findKnownCuts = (context: ResolutionContext, domain: DomainName): Effect.Effect<ZoneCuts, DelegationFailure> =>
  Effect.gen(function* () {
    const names = listSelfAndAncestors(domain)
    const responses = yield* Effect.forEach(
      names,
      (name) => Effect.either(context.resolve({ name, type: "NS" })),
      concurrently
    )
    const cuts = Array.zip(names, responses).flatMap(([zone, response]) => {
      const nameServers = Either.isRight(response) ? nameServersOf(zone, response.right.answers) : []
      return nameServers.length > 0 ? [{ zone, nameServers, glue: [], isReferral: false }] : []
    })
    const [deepest, parent] = cuts
    // The absence of a cut, or of a parent of the zone, is certain only if every query was answered.
    if (deepest === undefined || (parent === undefined && canBeOwned(deepest.zone))) yield* Either.all(responses)
    if (Array.isNonEmptyArray(cuts)) return cuts
    const denials = Array.zip(names, Array.getRights(responses))
    const proven = denials.filter(([, response]) => isProven(response))
    if (proven.length === 0) {
      return yield* new NoAnswer({ reason: "lame", servers: denials.map(toFailure("lame")) })
    }
    const servers = proven.filter(([, { rcode }]) => rcode === nameError).map(toFailure("nxdomain"))
    return yield* new DomainNotRegistered({ domain, servers })
  })

const toFailure =
  (reason: ServerFailure["reason"]) =>
  ([name]: readonly [string, Message]): ServerFailure => ({
    server: resolverName,
    reason,
    question: { name, type: "NS" }
  })

/** Queries the deepest zone and its parent at once. They confirm the cut, or show a deeper or higher one. */
const descend = (
  context: ResolutionContext,
  domain: DomainName,
  cuts: ZoneCuts
): Effect.Effect<Delegation, DelegationFailure> =>
  Effect.gen(function* () {
    const [deepest, ...higher] = cuts
    if (!canBeOwned(deepest.zone)) {
      const { next } = yield* queryParent(context, domain, deepest)
      return yield* descend(context, domain, [yield* next, ...cuts])
    }
    const [parent] = higher
    const [{ next, signer }, reports, belowDeepest] = yield* Effect.all(
      [
        parent === undefined
          ? Effect.succeed(reportWithoutParent(deepest))
          : queryParent(context, domain, parent, deepest.zone),
        queryChildren(context, deepest, deepest.nameServers),
        deepest.zone === domain
          ? Effect.succeedNone
          : Effect.asSome(Effect.either(queryParent(context, domain, deepest)))
      ],
      concurrently
    )
    if (Either.isLeft(next)) {
      return yield* Array.isNonEmptyReadonlyArray(higher) ? descend(context, domain, higher) : next.left
    }
    if (next.right.zone !== deepest.zone) return yield* descend(context, domain, [next.right, ...higher])
    const cut = next.right.isReferral ? next.right : deepest
    const confirmation = yield* confirm(context, domain, cut, reports)
    const deeper = Option.isSome(belowDeepest) ? Either.getRight((yield* belowDeepest.value).next) : Option.none()
    return yield* Option.match(deeper, {
      onNone: () => toDelegation(context, cut, confirmation, signer),
      onSome: (deeperCut) => descend(context, domain, [deeperCut, cut, ...higher])
    })
  })

/** The next zone cut towards the domain, as a zone's servers report it; `signer`: whether they have a DS record for it. */
interface ParentReport {
  readonly next: Either.Either<ZoneCut, DomainNotRegistered | DomainHasNoNameServers>
  readonly signer: Either.Either<boolean, NoAnswer>
}

/** A private network may have no servers above its zones; then the report of the zone itself counts. */
const reportWithoutParent = (cut: ZoneCut): ParentReport => ({
  next: Either.right(cut),
  signer: Either.right(false)
})

const queryParent = (
  context: ResolutionContext,
  domain: DomainName,
  { glue, nameServers, zone }: ZoneCut,
  expectedChild?: string
): Effect.Effect<ParentReport, NoAnswer> =>
  Effect.gen(function* () {
    const resolved = yield* Effect.forEach(
      nameServers.slice(0, maxParentServers),
      (name) => Effect.either(context.resolveNameServer(name, glue)),
      concurrently
    )
    const [unresolved, servers] = Array.separate(resolved)
    const query = (name: string, type: RecordTypeName) =>
      Effect.mapError(context.query(servers, zone, { name, type }), ({ reason, servers: failures }) => {
        const unreachable = servers.map(({ name }) => ({ server: name, reason }))
        return new NoAnswer({
          reason,
          servers: [...(failures ?? unreachable), ...unresolved.flatMap(({ servers = [] }) => servers)]
        })
      })
    const [delegation, signer] = yield* Effect.all(
      [
        query(domain, "NS"),
        expectedChild === undefined
          ? Effect.succeed(Either.right(false))
          : Effect.either(Effect.map(query(expectedChild, "DS"), hasSigner))
      ],
      concurrently
    )
    return { next: findNextCut(delegation, domain, { zone, nameServers }), signer }
  })

const hasSigner = (answer: ServerAnswer): boolean =>
  answer._tag === "Authoritative" && answer.message.answers.some(({ type }) => type === "DS")

const findNextCut = (
  answer: NamedAnswer,
  domain: DomainName,
  { nameServers, zone }: Pick<ZoneCut, "nameServers" | "zone">
): ParentReport["next"] =>
  ServerAnswer.$match(answer, {
    Referral: ({ glue, nameServers, zone }) =>
      Either.right({ zone, nameServers: nameServersOf(zone, nameServers), glue, isReferral: true }),
    Authoritative: ({ message }) => {
      // A server that also serves the child zone answers from that one and does not refer.
      const own = nameServersOf(domain, message.answers)
      const apex = own.length > 0 ? domain : message.authorities.find(({ type }) => type === "SOA")?.name
      if (apex !== undefined && apex !== zone && isAtOrBelow(apex, zone) && isAtOrBelow(domain, apex)) {
        return Either.right({
          zone: apex,
          nameServers: own.length > 0 ? own : nameServers,
          glue: [],
          isReferral: false
        })
      }
      const failure = { server: answer.server, question: { name: domain, type: "NS" } }
      return Either.left(
        message.rcode === noError
          ? new DomainHasNoNameServers({ domain, servers: [{ ...failure, reason: "nodata" }] })
          : new DomainNotRegistered({ domain, servers: [{ ...failure, reason: "nxdomain" }] })
      )
    }
  })

/** The NS records at the apex that one server reports, if it has authority for the zone. */
interface ChildReport {
  readonly nameServer: string
  readonly childNameServers: Either.Either<ReadonlyArray<string>, NoAnswer>
}

const queryChildren = (
  context: ResolutionContext,
  { glue, zone }: ZoneCut,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<ChildReport>> =>
  Effect.forEach(
    chooseNameServers(names, glue),
    (nameServer) =>
      context.resolveNameServer(nameServer, glue).pipe(
        Effect.flatMap((server) => context.query([server], zone, { name: zone, type: "NS" })),
        Effect.map((answer) =>
          answer._tag === "Authoritative" ? listChildNameServers(answer.message, zone, names) : []
        ),
        // Every zone has NS records at its apex: a server without them has another zone, perhaps the parent.
        Effect.filterOrFail(Array.isNonEmptyReadonlyArray, () => {
          const failure = { server: nameServer, reason: "lame", question: { name: zone, type: "NS" } } as const
          return new NoAnswer({ reason: "lame", servers: [failure] })
        }),
        Effect.either,
        Effect.map((childNameServers) => ({ nameServer, childNameServers }))
      ),
    concurrently
  )

/** The NS records that the zone's servers report, and the servers that did not answer. */
interface Confirmation {
  readonly childNameServers: ReadonlyArray<string>
  readonly unreachable: ReadonlyArray<string>
}

/** Confirms a cut if one of its name servers has authority; queries only if none of them has been queried yet. */
const confirm = (
  context: ResolutionContext,
  domain: DomainName,
  cut: ZoneCut,
  reports: ReadonlyArray<ChildReport>
): Effect.Effect<Confirmation, DelegationFailure> =>
  Effect.gen(function* () {
    const ofDelegated = reports.filter(({ nameServer }) => cut.nameServers.includes(nameServer))
    const chosen = chooseNameServers(cut.nameServers, cut.glue)
    const missing = chosen.filter((name) => !ofDelegated.some(({ nameServer }) => nameServer === name))
    const all = ofDelegated.some(({ childNameServers }) => Either.isRight(childNameServers))
      ? ofDelegated
      : [...ofDelegated, ...(yield* queryChildren(context, cut, missing))]
    const [failures, reported] = Array.partitionMap(all, ({ childNameServers, nameServer }) =>
      Either.mapLeft(childNameServers, (noAnswer) => ({ nameServer, noAnswer }))
    )
    if (reported.length === 0) return yield* chooseFailure(domain, failures)
    const unreachable = all.filter(
      ({ childNameServers }) => Either.isLeft(childNameServers) && isUnreachable(childNameServers.left)
    )
    return {
      childNameServers: sortNames(reported.flat()),
      unreachable: unreachable.map(({ nameServer }) => nameServer)
    }
  })

const chooseFailure = (
  domain: DomainName,
  failures: ReadonlyArray<{ readonly nameServer: string; readonly noAnswer: NoAnswer }>
): DelegationFailure => {
  const areOnly = (...allowed: ReadonlyArray<NoAnswer["reason"]>) =>
    failures.every(({ noAnswer }) => allowed.includes(noAnswer.reason) && !isOfResolver(noAnswer))
  const servers = failures.flatMap(
    ({ nameServer, noAnswer: { reason, servers } }): ReadonlyArray<ServerFailure> =>
      servers ?? [{ server: nameServer, reason }]
  )
  if (areOnly("address_not_reachable")) return new DomainHasNoNameServers({ domain, servers })
  return areOnly("address_not_reachable", "lame", "refused")
    ? new ZoneNotFound({ domain, servers })
    : new DelegationTimedOut({ domain, servers })
}

/** Whether a name server was not asked, since no resolver told its address. */
const isOfResolver = ({ servers = [] }: NoAnswer): boolean => servers.some(({ server }) => server === resolverName)

const toDelegation = (
  context: ResolutionContext,
  cut: ZoneCut,
  { childNameServers, unreachable }: Confirmation,
  signer: ParentReport["signer"]
) =>
  Effect.gen(function* () {
    const parentNameServers = cut.isReferral ? cut.nameServers : childNameServers
    const names = chooseNameServers(sortNames([...cut.nameServers, ...childNameServers]), cut.glue)
    const nameServers = yield* Effect.forEach(
      names,
      (name) =>
        context.resolveNameServer(name, cut.glue).pipe(
          Effect.orElseSucceed(() => ({ name, addresses: [] })),
          Effect.map((server) => (unreachable.includes(name) ? { ...server, wasUnreachable: true } : server))
        ),
      concurrently
    )
    return {
      zone: DomainName.make(cut.zone),
      nameServers,
      parentNameServers,
      childNameServers,
      hasParentChildMismatch: parentNameServers.join() !== childNameServers.join(),
      isSigned: Either.getOrElse(signer, () => false),
      ...Either.match(signer, { onLeft: ({ servers = [] }) => ({ signerFailures: servers }), onRight: () => ({}) })
    }
  })

/** A top-level domain or another public suffix cannot be the zone of a customer. */
const canBeOwned = (zone: string): boolean => Either.isRight(parseDomain(zone))

const maxParentServers = 3

const concurrently = { concurrency: "unbounded" } as const
