import { OpenApi } from "@effect/platform"
import { expect } from "bun:test"
import { Api } from "../../src/http/contract/Api.ts"

/** Expects that the OpenAPI document lists the code of an error for the operation that answered it, at its status. */
export const expectDocumentedError = async (path: string, method: string, response: Response): Promise<void> => {
  if (response.status < 400) return
  const codes = findCodes(path, method, response.status)
  const text = codes === undefined ? "" : await response.clone().text()
  if (text !== "") expect(codes).toContain(JSON.parse(text).error.code)
}

/** The codes that an operation lists at this status; `undefined` if nothing is documented at the path. */
const findCodes = (path: string, method: string, status: number): ReadonlyArray<string> | undefined => {
  const [, operation] = operations.find(([pattern]) => pattern.test(`${method} ${path.split("?")[0]}`)) ?? []
  return operation === undefined ? undefined : (operation[status] ?? [])
}

const document: any = OpenApi.fromApi(Api)

/** The codes of each operation by status, and a pattern of its method and path. */
const operations = Object.entries<any>(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, { responses }]) => ({ path, method, responses }))
  )
  .map(({ method, path, responses }) => {
    const codes = Object.entries<any>(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { content }]) => [Number(status), codesOf(content["application/json"].schema.$ref)] as const)
    const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`, "i")
    return [pattern, Object.fromEntries(codes) as Readonly<Record<number, ReadonlyArray<string>>>] as const
  })

function codesOf(reference: string): ReadonlyArray<string> {
  const schema = document.components.schemas[reference.split("/").at(-1) ?? ""]
  return schema.properties.error.properties.code.enum
}
