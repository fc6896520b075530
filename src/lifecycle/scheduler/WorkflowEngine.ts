import { ClusterWorkflowEngine, RunnerAddress, type ShardingConfig, SingleRunner } from "@effect/cluster"
import { BunClusterSocket } from "@effect/platform-bun"
import type { SocketServerError } from "@effect/platform/SocketServer"
import { Data, Duration, Layer, Option } from "effect"
import { rebuildAtStart } from "../../persistence/postgres/retryAtStart.ts"

/** The address at which the other machines reach this one; it listens at no other. */
export interface ClusterRunner {
  readonly host: string
  readonly port: number
}

/** This process cannot listen for the other machines: the port is taken, or the host is not of this machine. */
class RunnerPortNotOpened extends Data.TaggedError("RunnerPortNotOpened")<{ readonly message: string }> {}

/** Always gives addresses; without them the layers would read `HOST` and `PORT`. */
const shardingAt = ({ host, port }: ClusterRunner) =>
  ({
    runnerAddress: Option.some(RunnerAddress.make(host, port)),
    runnerListenAddress: Option.some(RunnerAddress.make(host, port)),
    entityMessagePollInterval: Duration.seconds(1),
    refreshAssignmentsInterval: Duration.millis(500),
    entityTerminationTimeout: Duration.seconds(2),
    entityMaxIdleTime: Duration.seconds(5)
  }) satisfies Partial<ShardingConfig.ShardingConfig["Type"]>

/**
 * The durable workflow engine of the only process on its database. The single instance lock excludes a second process,
 * so the shards need no locks in the database, and the address is never dialled.
 */
export const singleProcessEngine = ClusterWorkflowEngine.layer.pipe(
  Layer.provide(
    SingleRunner.layer({ runnerStorage: "memory", shardingConfig: shardingAt({ host: "localhost", port: 34_431 }) })
  ),
  rebuildAtStart,
  Layer.orDie
)

/**
 * The durable workflow engine of one process among several. A process that dies or hangs loses its shards to the others
 * after 4 seconds: row locks expire, whereas a process that hangs would keep an advisory lock.
 */
export const clusteredEngine = (runner: ClusterRunner) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provide(
      BunClusterSocket.layer({
        shardingConfig: {
          ...shardingAt(runner),
          runnerHealthCheckInterval: Duration.seconds(1),
          shardLockDisableAdvisory: true,
          shardLockExpiration: Duration.seconds(4),
          shardLockRefreshInterval: Duration.seconds(1)
        }
      })
    ),
    rebuildAtStart,
    Layer.catchAll((error) =>
      error._tag === "SocketServerError" ? Layer.fail(portNotOpened(runner, error)) : Layer.die(error)
    )
  )

const portNotOpened = ({ host, port }: ClusterRunner, { cause }: SocketServerError) =>
  new RunnerPortNotOpened({
    message: `cannot listen for the other machines: RUNNER_PORT ${port} must be free, and RUNNER_HOST ${host} an address or host name of this machine (${cause})`
  })
