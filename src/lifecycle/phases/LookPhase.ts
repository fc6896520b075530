import { Array, Context, Effect, Either, Layer } from "effect"
import { Delegations } from "../../dns/zone/Delegations.ts"
import { type KnownAnswer, KnownAnswers } from "../../dns/zone/KnownAnswers.ts"
import type { NameServer } from "../../dns/zone/NameServer.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import { toTenantKey } from "../../domain/access/Tenancy.ts"
import { Requester } from "../../limits/RequestSource.ts"
import type { LookFindings, ConnectionWatch } from "../../persistence/stores/phases/WatchStore.ts"

/** A connection to look at; `turn` counts its looks, by which the servers of its zone take turns. */
export interface Look extends ConnectionWatch {
  readonly turn: number
}

/** Asks one name server of each active connection for the known answers. Anything else leads to a check of all. */
export class LookPhase extends Context.Tag("lifecycle/LookPhase")<
  LookPhase,
  { readonly run: (looks: ReadonlyArray<Look>) => Effect.Effect<LookFindings> }
>() {
  static readonly layer = Layer.effect(
    LookPhase,
    Effect.gen(function* () {
      const delegations = yield* Delegations
      const { areStillGiven } = yield* KnownAnswers

      /** Finds the delegation of a zone again; none if it leads to other servers, or is not found. */
      const renew = (zone: ReadonlyArray<Look>) => {
        const [first] = zone
        if (first === undefined) return Effect.succeedNone
        return delegations.findKept(DomainName.make(first.zone)).pipe(
          Effect.provideService(Requester, toTenantKey(first)),
          Effect.filterOrFail(({ zone }) => zone === first.zone),
          Effect.map(({ keptUntil = 0, nameServers }) => ({ until: keptUntil, addresses: listAddresses(nameServers) })),
          Effect.option
        )
      }

      const renewAll = Effect.fnUntraced(function* (expired: ReadonlyArray<Look>) {
        const zones = [...Map.groupBy(expired, (look) => `${toTenantKey(look)} ${look.zone}`).values()]
        const found = yield* Effect.forEach(
          zones,
          (zone) =>
            Effect.map(renew(zone), (renewed) =>
              zone.map((look) =>
                renewed._tag === "Some" && serversOf(look).every((address) => renewed.value.addresses.has(address))
                  ? Either.right({ ...look, serversUntil: renewed.value.until })
                  : Either.left(look)
              )
            ),
          { concurrency: maxZonesTogether }
        )
        return found.flat()
      })

      /** The looks at which the server of their turn gives another answer, and those at which it has fallen silent. */
      const findChanged = (looks: ReadonlyArray<Look>): Effect.Effect<ChangedLooks> =>
        Effect.map(
          Effect.forEach(Map.groupBy(looks, serverOfTurn), ([address, atServer]) => findChangedAt(address, atServer), {
            concurrency: maxServersTogether
          }),
          (found) => ({
            changed: found.flatMap(({ changed }) => changed),
            silenced: found.flatMap(({ silenced }) => silenced)
          })
        )

      const findChangedAt = (address: string, looks: ReadonlyArray<Look>) =>
        areStillGiven(address, looks.flatMap(listKnown)).pipe(
          Effect.map((given) => {
            let next = 0
            const changed = looks.filter(({ answers }) => !given.slice(next, (next += answers.length)).every(Boolean))
            return { changed, silenced: [] }
          }),
          Effect.catchTag("ServerSilent", () => {
            const [heardBefore, silentBefore] = Array.partition(looks, (look) => look.silentServers.includes(address))
            // Still silent, it says nothing new: another server is asked in its place.
            const others = findChanged(silentBefore.map((look) => ({ ...look, silentServers: [] })))
            return Effect.map(others, ({ changed, silenced }) => ({ changed, silenced: [...heardBefore, ...silenced] }))
          })
        )

      return {
        run: Effect.fnUntraced(function* (looks) {
          const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          const renewed = yield* renewAll(looks.filter(({ serversUntil }) => serversUntil <= now))
          const [moved, same] = partition(renewed)
          const found = yield* findChanged([...looks.filter(({ serversUntil }) => serversUntil > now), ...same])
          return { changed: [...moved, ...found.changed].map(idOf), silenced: found.silenced.map(idOf), renewed: same }
        })
      }
    })
  )
}

interface ChangedLooks {
  readonly changed: ReadonlyArray<Look>
  readonly silenced: ReadonlyArray<Look>
}

const idOf = ({ connectionId }: Look) => connectionId

const partition = (results: ReadonlyArray<Either.Either<Look, Look>>) =>
  [
    results.filter(Either.isLeft).map(({ left }) => left),
    results.filter(Either.isRight).map(({ right }) => right)
  ] as const

const serversOf = ({ servers, silentServers }: Look): ReadonlyArray<string> => [...servers, ...silentServers]

const serverOfTurn = (look: Look): string => {
  const servers = serversOf(look)
  return servers[look.turn % servers.length] ?? ""
}

const listAddresses = (servers: ReadonlyArray<NameServer>): ReadonlySet<string> =>
  new Set(servers.flatMap(({ addresses }) => addresses))

const listKnown = (look: Look): ReadonlyArray<KnownAnswer> => {
  const requester = toTenantKey(look)
  return look.answers.map((answer) => ({ ...answer, zone: look.zone, requester }))
}

/** Each has a socket. */
const maxServersTogether = 64

/** A delegation that has expired takes a dozen questions. */
const maxZonesTogether = 16
