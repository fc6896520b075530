import { Option } from "effect"
import type { ValueIssue } from "../error/ErrorDetail.ts"

/** Makes the check of a host that must begin with some labels, where programs look for it; a wildcard may answer there. */
export const checkServiceHost =
  (beginning: string, pattern: RegExp, standard: string) =>
  (host: string): Option.Option<ValueIssue> =>
    host.startsWith("*") || pattern.test(host)
      ? Option.none()
      : Option.some({
          code: "host_malformed",
          message: `the host of this record begins with \`${beginning}\`, where programs look for it (${standard})`
        })
