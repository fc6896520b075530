import { Context, Effect, Layer, Option } from "effect"
import type { ApplicationSettings } from "../domain/access/Application.ts"
import type { ApplicationId, Tenancy } from "../domain/access/Tenancy.ts"
import { PreconditionFailed } from "../lifecycle/commands/commandErrors.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../persistence/stores/access/ApiKeyStore.ts"
import type { PageRequest } from "../domain/values/PageRequest.ts"
import {
  ApplicationStore,
  type StoredApplication,
  type StoredTenant
} from "../persistence/stores/access/ApplicationStore.ts"
import { type ErasureCount, type ErasureScope, ErasureStore } from "../persistence/stores/erasure/ErasureStore.ts"
import {
  ApplicationExists,
  ApplicationNotEmpty,
  ApplicationNotFound,
  TenantErasureRefused
} from "./administrationErrors.ts"

/** Reads an application for a change; `matches` is the precondition of the caller. */
interface ApplicationSelection {
  readonly id: ApplicationId
  readonly matches: (stored: StoredApplication) => boolean
}

/** The rows of a tenant that one call has erased. */
interface TenantErasure {
  readonly erased: number
  /** The connections that are left for another call; at 0 everything of the tenant is erased. */
  readonly remaining: number
}

type ApplicationChangeError = ApplicationNotFound | PreconditionFailed | StoreUnavailable

/** The applications of a platform, for its administrators: by HTTP and by the command line. */
export class Applications extends Context.Tag("administration/Applications")<
  Applications,
  {
    readonly create: (
      id: ApplicationId,
      settings: ApplicationSettings
    ) => Effect.Effect<StoredApplication, ApplicationExists | StoreUnavailable>
    readonly find: (id: ApplicationId) => Effect.Effect<StoredApplication, ApplicationNotFound | StoreUnavailable>
    /** The applications in the order of their ids. */
    readonly list: (page: PageRequest) => Effect.Effect<ReadonlyArray<StoredApplication>, StoreUnavailable>
    /** Replaces the settings of an application by the result of a function of the current ones. */
    readonly update: <E = never>(
      selection: ApplicationSelection,
      change: (current: ApplicationSettings) => Effect.Effect<ApplicationSettings, E>
    ) => Effect.Effect<StoredApplication, ApplicationChangeError | E>
    /**
     * Deletes an application without live connections, with everything that it has: revokes its API keys, and erases its
     * ended connections, up to 1,000 in one call. It stays until its webhook endpoints have the events of that.
     */
    readonly remove: (
      selection: ApplicationSelection
    ) => Effect.Effect<void, ApplicationChangeError | ApplicationNotEmpty>
    /** The tenants of an application that have API keys or connections, in the order of their ids, or the reverse. */
    readonly listTenants: (
      id: ApplicationId,
      page: PageRequest
    ) => Effect.Effect<ReadonlyArray<StoredTenant>, ApplicationNotFound | StoreUnavailable>
    /** Counts the rows that an erasure of the tenant would erase. */
    readonly countTenant: (tenancy: Tenancy) => Effect.Effect<ErasureCount, ApplicationNotFound | StoreUnavailable>
    /**
     * Erases a tenant without live connections, if it has exactly as many connections as the caller has counted: revokes
     * its API keys, erases its connections, up to 1,000 in one call, and then everything else that it has.
     */
    readonly eraseTenant: (
      tenancy: Tenancy,
      counted: number
    ) => Effect.Effect<TenantErasure, ApplicationNotFound | TenantErasureRefused | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Applications,
    Effect.map(Effect.all([ApplicationStore, ApiKeyStore, ErasureStore]), ([store, keys, erasures]) => {
      const find = (id: ApplicationId) =>
        Effect.flatMap(
          store.find(id),
          Option.match({ onNone: () => Effect.fail(ApplicationNotFound.of(id)), onSome: Effect.succeed })
        )

      /** Repeats a change if another request came in between, unless the caller's precondition then fails. */
      const change = <A, E>(
        selection: ApplicationSelection,
        write: (read: StoredApplication) => Effect.Effect<Option.Option<A>, E>
      ): Effect.Effect<A, E | ApplicationChangeError> =>
        Effect.gen(function* () {
          const read = yield* find(selection.id)
          if (!selection.matches(read)) return yield* changedMeanwhile
          const written = yield* write(read)
          return Option.isSome(written) ? written.value : yield* change(selection, write)
        })

      /**
       * Erases ended connections after the keys that could make others; returns how many it has erased, and how many
       * are left.
       */
      const eraseConnections = Effect.fnUntraced(function* (scope: ErasureScope) {
        yield* keys.revokeAll(scope)
        const { total } = yield* Effect.iterate(
          { total: 0, last: batchSize },
          {
            while: ({ last, total }) => last === batchSize && total < maxPerCall,
            body: ({ total }) =>
              Effect.map(erasures.eraseConnections(scope, batchSize), (last) => ({ total: total + last, last }))
          }
        )
        return { erased: total, left: yield* erasures.count(scope) }
      })

      return {
        create: Effect.fnUntraced(function* (id, settings) {
          const created = yield* store.create(id, settings)
          return Option.isSome(created) ? created.value : yield* ApplicationExists.of(id)
        }),
        find,
        list: store.list,
        update: (selection, toSettings) =>
          change(selection, (read) =>
            Effect.flatMap(toSettings(read.settings), (settings) => store.update(read, settings))
          ),
        remove: (selection) =>
          change(selection, (read) =>
            Effect.gen(function* () {
              const scope = { applicationId: read.id }
              yield* Effect.flatMap(erasures.count(scope), requireNoLiveConnections)
              const { erased, left } = yield* eraseConnections(scope)
              yield* requireNoLiveConnections(left)
              if (left.endedConnections > 0) return yield* ApplicationNotEmpty.ended(erased, left.endedConnections)
              const pending = yield* erasures.countPendingDeliveries(read.id)
              if (pending > 0) return yield* ApplicationNotEmpty.pending(pending)
              return (yield* store.remove(read)) ? Option.some(undefined) : Option.none()
            })
          ),
        listTenants: (id, page) => Effect.zipRight(find(id), store.listTenants(id, page)),
        countTenant: (tenancy) => Effect.zipRight(find(tenancy.applicationId), erasures.count(tenancy)),
        eraseTenant: Effect.fnUntraced(function* (tenancy, counted) {
          yield* find(tenancy.applicationId)
          const { endedConnections, liveConnections } = yield* erasures.count(tenancy)
          if (liveConnections > 0) return yield* TenantErasureRefused.live(liveConnections)
          if (endedConnections !== counted) return yield* TenantErasureRefused.otherCount(endedConnections)
          const { erased, left } = yield* eraseConnections(tenancy)
          const remaining = countConnections(left)
          if (remaining > 0 || (yield* erasures.eraseTenant(tenancy))) return { erased, remaining }
          // Another key, issued meanwhile, has created a connection at this very moment.
          return { erased, remaining: countConnections(yield* erasures.count(tenancy)) }
        })
      }
    })
  )
}

/** An erasure takes a millisecond or two for a connection, so that a call takes a few seconds. */
const maxPerCall = 1_000
const batchSize = 100

const requireNoLiveConnections = ({ liveConnections }: ErasureCount) =>
  liveConnections > 0 ? Effect.fail(ApplicationNotEmpty.live(liveConnections)) : Effect.void

const countConnections = ({ endedConnections, liveConnections }: ErasureCount) => endedConnections + liveConnections

const changedMeanwhile = new PreconditionFailed({
  code: "precondition_failed",
  message: "the application has changed since the version that If-Match names"
})
