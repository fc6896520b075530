import { hostname } from "node:os"
import packageJson from "../../package.json" with { type: "json" }

/** This process of the service, as each of its log lines, its traces and its metrics name it. */
export const serviceInstance = {
  version: packageJson.version,
  /** The machine, which in Kubernetes is the pod, and the process on it. */
  process: `${hostname()}:${process.pid}`
} as const
