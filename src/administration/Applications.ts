import { Context, Effect, Layer, Option } from "effect"
import type { ApplicationSettings } from "../domain/Application.ts"
import type { ApplicationId, TenantId } from "../domain/Tenancy.ts"
import { PreconditionFailed } from "../lifecycle/commands/commandErrors.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import {
  ApplicationRemoval,
  ApplicationStore,
  type NamePage,
  type StoredApplication
} from "../persistence/stores/ApplicationStore.ts"
import { traced } from "../runtime/traced.ts"
import { ApplicationExists, ApplicationNotEmpty, ApplicationNotFound } from "./administrationErrors.ts"

/** Reads an application for a change; `matches` is the precondition of the caller. */
interface ApplicationSelection {
  readonly id: ApplicationId
  readonly matches: (stored: StoredApplication) => boolean
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
    readonly list: (page: NamePage) => Effect.Effect<ReadonlyArray<StoredApplication>, StoreUnavailable>
    /** Replaces the settings of an application by what is made of the current ones. */
    readonly update: <E = never>(
      selection: ApplicationSelection,
      change: (current: ApplicationSettings) => Effect.Effect<ApplicationSettings, E>
    ) => Effect.Effect<StoredApplication, ApplicationChangeError | E>
    /** Deletes an application that has no connections, keys or endpoints any more. */
    readonly remove: (
      selection: ApplicationSelection
    ) => Effect.Effect<void, ApplicationChangeError | ApplicationNotEmpty>
    /** The tenants of an application that have API keys or connections, in the order of their ids. */
    readonly listTenants: (
      id: ApplicationId,
      page: NamePage
    ) => Effect.Effect<ReadonlyArray<TenantId>, ApplicationNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Applications,
    Effect.map(ApplicationStore, (store) => {
      const find = (id: ApplicationId) =>
        Effect.flatMap(
          store.find(id),
          Option.match({ onNone: () => Effect.fail(ApplicationNotFound.of(id)), onSome: Effect.succeed })
        )

      /** Tries again on what another request has changed meanwhile, unless the caller's precondition fails then. */
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

      return {
        create: traced("Applications.create")(function* (id, settings) {
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
            Effect.flatMap(
              store.remove(read),
              ApplicationRemoval.$match({
                Removed: () => Effect.succeedSome(undefined),
                Changed: () => Effect.succeedNone,
                NotEmpty: ({ contents }) => Effect.fail(ApplicationNotEmpty.of(contents))
              })
            )
          ),
        listTenants: (id, page) => Effect.zipRight(find(id), store.listTenants(id, page))
      }
    })
  )
}

const changedMeanwhile = new PreconditionFailed({
  code: "precondition_failed",
  message: "the application has changed since the version that If-Match names"
})
