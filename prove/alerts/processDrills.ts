import { Effect } from "effect"
import { masterKey } from "../../test/support/masterKeys.ts"
import { signalProcess } from "../backendFaults.ts"
import type { AlertDrill } from "./AlertDrill.ts"
import type { DrillGround } from "./DrillGround.ts"
import { plannedConnection } from "./drillSteps.ts"

/** Alerts about the process itself. */
export const processDrills: ReadonlyArray<AlertDrill> = [
  {
    alert: "DcsProcessDown",
    cause: "it is started again with another master key, and ends",
    plant: (ground) =>
      Effect.acquireRelease(
        Effect.gen(function* () {
          yield* plannedConnection(ground.api, "masterkey.drills.com")
          yield* ground.kill
          const hasStarted = yield* ground.start({ MASTER_KEY: masterKey(2) })
          if (hasStarted) return yield* Effect.dieMessage("a process with the wrong master key started")
        }),
        () => ground.start()
      )
  },
  {
    alert: "DcsEventLoopLate",
    cause: "it is stopped for most of the time, as by a processor that others use",
    plant: (ground) =>
      Effect.acquireRelease(
        Effect.void,
        // A stop may have been the last signal.
        () => signalProcess(ground.pid(), "SIGCONT")
      ).pipe(Effect.zipRight(Effect.forkScoped(starve(ground))))
  },
  {
    alert: "DcsDescriptors",
    cause: "clients keep event streams open",
    descriptors: 160,
    settings: { STREAMS_PER_CONNECTION: "1000" },
    plant: (ground) =>
      Effect.flatMap(plannedConnection(ground.api, "streams.drills.com"), ({ id }) =>
        Effect.acquireRelease(
          Effect.promise(() => openStreams(ground, id)),
          (controller) => Effect.sync(() => controller.abort())
        )
      )
  }
]

const starve = ({ pid }: DrillGround) =>
  Effect.forever(
    Effect.all([
      signalProcess(pid(), "SIGSTOP"),
      Effect.sleep("400 millis"),
      signalProcess(pid(), "SIGCONT"),
      Effect.sleep("300 millis")
    ])
  )

/** Opens streams until one is refused, because too many descriptors are open. */
const openStreams = async ({ database, url }: DrillGround, connectionId: string) => {
  const controller = new AbortController()
  for (let nth = 0; nth < 1_000; nth += 1) {
    const { status } = await fetch(`${url}/v1/connections/${connectionId}/stream`, {
      headers: { "x-api-key": database.key, accept: "text/event-stream" },
      signal: controller.signal
    })
    if (status !== 200) break
  }
  return controller
}
