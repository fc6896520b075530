import { ClusterWorkflowEngine, RunnerAddress, SingleRunner } from "@effect/cluster"
import { Duration, Layer, Option } from "effect"

/**
 * The durable engine of one process on its database. `SingleInstance` makes sure that there is no second one, so the
 * shards need no locks in the database. The address is never dialled; without it the layer would read `HOST` and `PORT`.
 */
export const layer = ClusterWorkflowEngine.layer.pipe(
  Layer.provide(
    SingleRunner.layer({
      runnerStorage: "memory",
      shardingConfig: {
        runnerAddress: Option.some(RunnerAddress.make("localhost", 34_431)),
        runnerListenAddress: Option.some(RunnerAddress.make("localhost", 34_431)),
        entityMessagePollInterval: Duration.seconds(1),
        refreshAssignmentsInterval: Duration.millis(500),
        entityTerminationTimeout: Duration.seconds(2),
        entityMaxIdleTime: Duration.seconds(5)
      }
    })
  ),
  Layer.orDie
)
