import { Array, Context, Effect, Layer } from "effect"
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

      /** Finds the delegation of a zone again; none if it is not found. */
      const renew = (zone: ReadonlyArray<Look>) => {
        const [first] = zone
        if (first === undefined) return Effect.succeedNone
        return delegations.findKept(DomainName.make(first.zone)).pipe(
          Effect.provideService(Requester, toTenantKey(first)),
          Effect.map(({ keptUntil = 0, nameServers, zone: found }) => ({
            until: keptUntil,
            addresses: found === first.zone ? listAddresses(nameServers) : new Set<string>()
          })),
          Effect.option
        )
      }

      /** The looks at zones whose delegation leads to the same servers, for longer now, and the others. */
      const renewAll = Effect.fnUntraced(function* (expired: ReadonlyArray<Look>) {
        const zones = [...Map.groupBy(expired, (look) => `${toTenantKey(look)} ${look.zone}`).values()]
        const found = yield* Effect.forEach(
          zones,
          (zone) =>
            Effect.map(renew(zone), (renewed) => {
              if (renewed._tag === "None") return { same: [], changed: [], silenced: zone }
              const { addresses, until } = renewed.value
              const [changed, same] = Array.partition(zone, (look) =>
                serversOf(look).every((address) => addresses.has(address))
              )
              return { same: same.map((look) => ({ ...look, serversUntil: until })), changed, silenced: [] }
            }),
          { concurrency: maxZonesTogether }
        )
        return { ...joinFound(found), same: found.flatMap(({ same }) => same) }
      })

      /** The looks at which the server of their turn gives another answer, and those at which it has fallen silent. */
      const findChanged = (looks: ReadonlyArray<Look>): Effect.Effect<FoundLooks> =>
        Effect.map(
          Effect.forEach(Map.groupBy(looks, serverOfTurn), ([address, atServer]) => findChangedAt(address, atServer), {
            concurrency: maxServersTogether
          }),
          joinFound
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
          const [expired, valid] = Array.partition(looks, ({ serversUntil }) => serversUntil > now)
          const { same, ...elsewhere } = yield* renewAll(expired)
          const { changed, silenced } = joinFound([elsewhere, yield* findChanged([...valid, ...same])])
          return { changed: changed.map(idOf), silenced: silenced.map(idOf), renewed: same }
        })
      }
    })
  )
}

/** Looks that lead to a check of all servers: because of another answer, or because nobody answered. */
interface FoundLooks {
  readonly changed: ReadonlyArray<Look>
  readonly silenced: ReadonlyArray<Look>
}

const joinFound = (found: ReadonlyArray<FoundLooks>): FoundLooks => ({
  changed: found.flatMap(({ changed }) => changed),
  silenced: found.flatMap(({ silenced }) => silenced)
})

const idOf = ({ connectionId }: Look) => connectionId

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
