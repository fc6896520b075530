import { metrics } from "../../src/runtime/metrics.ts"

/** The labels that every series has, by the service or by Prometheus. */
const sharedLabels = ["environment", "instance", "job"]

/** The labels of each series in `/metrics`. */
const labelsOfSeries = new Map(
  Object.values(metrics).flatMap(({ kind, labels, name }): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
    if (kind === "counter") return [[`${name}_total`, labels]]
    if (kind === "gauge") return [[name, labels]]
    return [
      [`${name}_bucket`, [...labels, "le"]],
      [`${name}_sum`, labels],
      [`${name}_count`, labels]
    ]
  })
)

/**
 * Finds the series of the service that a query in PromQL names and `/metrics` does not have, and the labels, in a
 * selector, a grouping or its legend, that these series do not have.
 */
export const findUnknownNames = (query: string, legend = ""): ReadonlyArray<string> => {
  const selectors = [...query.matchAll(/\b(dcs_\w+)(?:\{([^}]*)\})?/g)].map(([, series = "", matchers = ""]) => ({
    series,
    known: [...sharedLabels, ...(labelsOfSeries.get(series) ?? [])],
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"[^"]*"/g)].map(([, label = ""]) => label)
  }))
  const groupings = [...query.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, labels = ""]) =>
    labels.split(",").map((label) => label.trim())
  )
  const inLegend = [...legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = ""]) => label)
  return [
    ...selectors.flatMap(({ known, labels, series }) => [
      ...(labelsOfSeries.has(series) ? [] : [series]),
      ...labels.filter((label) => !known.includes(label)).map((label) => `${series}{${label}}`)
    ]),
    ...[...groupings, ...inLegend].filter((label) => !selectors.some(({ known }) => known.includes(label)))
  ]
}
