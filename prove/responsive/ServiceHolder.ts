import { Effect, Exit, Scope } from "effect"
import type { Lab } from "../../test/support/lab/Lab.ts"
import { type AttackedService, startAttackedService } from "./AttackedService.ts"
import { healthyZones } from "./attackZones.ts"

/** Holds the one running service. */
export interface ServiceHolder {
  /** The running service, or a new one with a new database if its settings differ or it was discarded. */
  readonly get: (environment: Readonly<Record<string, string>>) => Effect.Effect<AttackedService, never, Lab>
  /** Kills the service. */
  readonly discard: Effect.Effect<void>
}

export const makeServiceHolder = (isBehindCaddy: boolean): Effect.Effect<ServiceHolder, never, Scope.Scope> =>
  Effect.gen(function* () {
    let running: RunningService | undefined
    const discard = Effect.suspend(() => {
      const scope = running?.scope
      running = undefined
      return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
    })
    const start = (environment: Readonly<Record<string, string>>) =>
      Effect.gen(function* () {
        yield* discard
        const scope = yield* Scope.make()
        const service = yield* Scope.extend(
          startAttackedService(environment, healthyZones[0] ?? "", isBehindCaddy),
          scope
        )
        running = { settings: JSON.stringify(environment), service, scope }
        return service
      })
    yield* Effect.addFinalizer(() => discard)
    return {
      discard,
      get: (environment) =>
        Effect.suspend(() =>
          running?.settings === JSON.stringify(environment) ? Effect.succeed(running.service) : start(environment)
        )
    }
  })

interface RunningService {
  readonly settings: string
  readonly service: AttackedService
  readonly scope: Scope.CloseableScope
}
