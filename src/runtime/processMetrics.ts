import { Effect, Layer, Metric } from "effect"
import { metrics } from "./metrics.ts"
import { listOpenFiles, OpenFileLimit } from "./openFiles.ts"
import { serviceInstance } from "./serviceInstance.ts"

/** Measures the use of the machine by the process every five seconds, for the life of the process. */
export const processMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    yield* Metric.set(metrics.buildInfo.labeled(serviceInstance.version, serviceInstance.process), 1)
    const limit = yield* OpenFileLimit
    if (Number.isFinite(limit)) yield* Metric.set(metrics.processDescriptorLimit.metric, limit)
    let countedMicros = 0
    const measure = Effect.suspend(() => {
      const { system, user } = process.cpuUsage()
      const micros = system + user - countedMicros
      countedMicros += micros
      return Effect.all([
        Metric.set(metrics.processMemory.metric, process.memoryUsage.rss()),
        Metric.incrementBy(metrics.processCpu.metric, micros / microsPerSecond),
        Metric.set(metrics.processDescriptors.metric, listOpenFiles().length)
      ])
    })
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(measure, Effect.sleep("5 seconds"))))
  })
)

const microsPerSecond = 1e6
