import { Effect } from "effect"
import { issueAdminKey, send } from "../../support/testApi.ts"

/** A request of an administrator; one with an empty text as its body sends none, by `POST`. */
export interface AdminCall {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Sends a request as an administrator. */
export const sendAsAdmin = (
  path: string,
  { body, headers = {}, method = body === undefined ? "GET" : "POST" }: AdminCall = {}
) =>
  Effect.flatMap(issueAdminKey, (key) =>
    send(path, {
      method,
      headers: { "x-admin-key": key, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: body === "" ? "" : JSON.stringify(body) })
    })
  )
