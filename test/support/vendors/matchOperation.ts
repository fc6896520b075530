/** An operation whose path template fits, with the values of its parameters. */
interface OperationMatch {
  readonly operation: string
  readonly pathParameters: Readonly<Record<string, string>>
}

/** Finds the operation, like `GET /zones/{id}`, for a decoded path; fixed parts win over parameters. */
export const matchOperation = (
  operations: ReadonlyArray<string>,
  method: string,
  path: string
): OperationMatch | undefined =>
  operations
    .flatMap((operation) => matchOne(operation, method, path) ?? [])
    .toSorted((a, b) => Object.keys(a.pathParameters).length - Object.keys(b.pathParameters).length)[0]

const matchOne = (operation: string, method: string, path: string): OperationMatch | undefined => {
  const [expectedMethod, template = ""] = operation.split(" ")
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name)
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{[^}]+\}/g, "([^/]+)")
  const values = expectedMethod === method ? new RegExp(`^${pattern}$`).exec(path) : null
  if (values === null) return undefined
  return {
    operation,
    pathParameters: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index + 1] ?? "")]))
  }
}
