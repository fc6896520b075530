import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { freePort } from "../../test/support/freePort.ts"
import { makeServer } from "../../test/support/lab/Server.ts"
import { programPath } from "../../test/support/lab/labAvailability.ts"
import { temporaryDirectory } from "../../test/support/TestPostgres.ts"

/** A Prometheus that reads one service every second, and evaluates rules as often. */
export interface Prometheus {
  /** The names of the alerts that fire. */
  readonly listFiring: Effect.Effect<ReadonlyArray<string>>
}

interface PrometheusOptions {
  /** The content of a file of rules. */
  readonly rules: string
  /** Where the service has its metrics, at 127.0.0.1. */
  readonly metricsPort: number
}

/** Starts Prometheus, which stops with the scope. */
export const startPrometheus = ({ metricsPort, rules }: PrometheusOptions) =>
  Effect.gen(function* () {
    const directory = temporaryDirectory()
    const port = freePort()
    const url = `http://127.0.0.1:${port}`
    mkdirSync(`${directory}/data`)
    writeFileSync(`${directory}/rules.yaml`, rules)
    writeFileSync(`${directory}/prometheus.yaml`, configurationFor(metricsPort))
    const { start } = yield* makeServer({
      name: "prometheus",
      directory,
      command: [
        programPath("prometheus"),
        `--config.file=${directory}/prometheus.yaml`,
        `--storage.tsdb.path=${directory}/data`,
        `--web.listen-address=127.0.0.1:${port}`
      ],
      ready: Effect.promise(() =>
        fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false
        )
      )
    })
    yield* start
    const prometheus: Prometheus = {
      listFiring: Effect.promise(async () => {
        const answer: any = await (await fetch(`${url}/api/v1/alerts`, { signal: AbortSignal.timeout(10_000) })).json()
        return answer.data.alerts
          .filter(({ state }: { readonly state: string }) => state === "firing")
          .map(({ labels }: { readonly labels: { readonly alertname: string } }) => labels.alertname)
      })
    }
    return prometheus
  }).pipe(Effect.orDie)

const configurationFor = (metricsPort: number) => `
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [rules.yaml]
scrape_configs:
  - job_name: domain-connection-service
    static_configs: [{ targets: ["127.0.0.1:${metricsPort}"] }]
`
