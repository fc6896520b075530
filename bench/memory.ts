import { Effect } from "effect"
import { makeApiClient } from "../prove/ApiClient.ts"
import { startService } from "../test/support/serviceProcess.ts"
import { emptyDataDirectory, startMainProcess } from "./MainProcess.ts"
import { descendantMegabytes, residentMegabytesOf } from "./processes.ts"
import { type Report, roundToThreeDigits } from "./Report.ts"

/** Measures the memory of the idle service and of its PostgreSQL. */
export const memory: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const { pid } = yield* startMainProcess(yield* emptyDataDirectory)
    yield* Effect.sleep("5 seconds")
    const own = residentMegabytesOf(pid)
    const postgres = descendantMegabytes(pid)
    return {
      title: "Idle memory, five seconds after the start",
      lines: [`the service ${roundToThreeDigits(own)} MB, its PostgreSQL ${roundToThreeDigits(postgres)} MB`],
      figures: { serviceMegabytes: own, postgresMegabytes: postgres },
      targets: [{ kind: "aim", what: "idle memory of the service in MB", value: own, atMost: 200 }]
    }
  })
)

/** Measures the memory of the service ten minutes after 10,000 connections of test mode were created and planned. */
export const memoryAfter: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const settings = {
      CONNECTIONS_PER_TENANT: "0",
      OPEN_DISCOVERIES_PER_TENANT: "0",
      RATE_LIMIT_PER_MINUTE: "0"
    }
    const service = yield* startService({ DATA_DIR: yield* emptyDataDirectory, ...settings })
    const api = makeApiClient(service.url, /dck_test_\w+/.exec(service.output())?.[0] ?? "")
    yield* Effect.sleep("5 seconds")
    const idle = residentMegabytesOf(service.pid)
    yield* Effect.forEach(
      Array.from({ length: connections }, (_, nth) => nth),
      (nth) => {
        const record = { host: "shop", type: "CNAME", value: "shops.example.net" }
        const intent = { domain: `c${nth}-one-click.test`, records: [record] }
        return Effect.filterOrDieMessage(
          api.post("/v1/connections", { intent }),
          ({ status }) => status === 201,
          "a connection was refused"
        )
      },
      { concurrency: 16, discard: true }
    )
    yield* Effect.repeat(Effect.delay(api.get("/v1/connections?state=requested&limit=1"), "1 second"), {
      until: ({ body }) => body.connections.length === 0
    })
    const afterwards = residentMegabytesOf(service.pid)
    yield* Effect.sleep("10 minutes")
    const later = residentMegabytesOf(service.pid)
    return {
      title: `Memory after ${connections} connections`,
      lines: [
        `idle ${roundToThreeDigits(idle)} MB, with the last plan ${roundToThreeDigits(afterwards)} MB, ten minutes later ${roundToThreeDigits(later)} MB`
      ],
      figures: { idle, afterwards, later },
      targets: [
        { kind: "gate" as const, what: "idle memory in MB", value: idle, atMost: 210 },
        { kind: "gate" as const, what: "memory ten minutes later, of the idle one", value: later / idle, atMost: 1.3 }
      ]
    }
  }).pipe(Effect.orDie)
)

const connections = 10_000
