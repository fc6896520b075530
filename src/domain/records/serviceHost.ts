import { Option } from "effect"
import type { ValueIssue } from "../error/ErrorDetail.ts"

/** Makes the check of a host that must begin with some labels, where programs look for it; a wildcard may answer there. */
export const checkServiceHost =
  (beginning: string, pattern: RegExp, standard: string) =>
  (host: string): Option.Option<ValueIssue> => {
    if (host.startsWith("*") || pattern.test(host)) return Option.none()
    const [first = "", second = "", ...rest] = host.split(".").map((label) => label.replace(/^_+/, ""))
    const suggestion = [
      [first, second],
      [second, first]
    ]
      .map((labels) => [...labels.map((label) => `_${label}`), ...rest].join("."))
      .find((name) => pattern.test(name))
    return Option.some({
      code: "host_malformed",
      message: `the host of this record begins with \`${beginning}\`, where programs look for it (${standard})`,
      ...(suggestion === undefined ? {} : { suggestion })
    })
  }
