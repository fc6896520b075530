import { createHash } from "node:crypto"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import type { ReceivedRequest } from "../../../support/vendors/VendorServer.ts"

/** The application of the operator. */
export const application = { key: "ovh-application", secret: "ovh-application-secret" }

/** A consumer key as OVHcloud knows it. */
export interface ConsumerKey {
  readonly rules: ReadonlyArray<{ readonly method: string; readonly path: string }>
  readonly status: "validated" | "pendingValidation" | "expired" | "refused"
}

export const ovhBase = "https://eu.api.ovh.com/1.0"

/** A refusal with the code of OVHcloud's own client for Python, or in the older form without one. */
export const ovhError = (status: number, message: string, errorCode?: string): VendorAnswer => ({
  status,
  body: errorCode === undefined ? { class: "Client::Error", message } : { errorCode, httpCode: String(status), message }
})

/** Judges the signature, the time, the key and its rights; the calls without a customer need none of them. */
export const authenticateOvh =
  (keyOf: (key: string) => ConsumerKey | undefined) =>
  (headers: Headers, call: VendorCall, { target, text }: ReceivedRequest): VendorAnswer | undefined => {
    if (call.path === "/auth/time") return undefined
    if (headers.get("x-ovh-application") !== application.key)
      return ovhError(403, "Invalid application key", "INVALID_KEY")
    if (call.path === "/auth/credential") return undefined
    const consumer = headers.get("x-ovh-consumer") ?? ""
    const key = keyOf(consumer)
    if (key === undefined) return ovhError(403, "This credential does not exist", "NOT_CREDENTIAL")
    const time = headers.get("x-ovh-timestamp") ?? ""
    if (!(Math.abs(Number(time) - call.now / 1000) <= 30)) return ovhError(400, "Query out of time", "QUERY_TIME_OUT")
    const signed = [application.secret, consumer, call.method, new URL(ovhBase).origin + target, text, time].join("+")
    if (headers.get("x-ovh-signature") !== `$1$${createHash("sha1").update(signed).digest("hex")}`)
      return ovhError(400, "Invalid signature", "INVALID_SIGNATURE")
    if (key.status !== "validated") return ovhError(403, "This credential is not valid", "INVALID_CREDENTIAL")
    return key.rules.some(({ method, path }) => method === call.method && isBelow(path, call.path))
      ? undefined
      : ovhError(403, "This call has not been granted", "NOT_GRANTED_CALL")
  }

/** A star in the path of a right stands for anything. */
const isBelow = (right: string, path: string): boolean =>
  new RegExp(`^${right.split("*").map(RegExp.escape).join(".*")}$`).test(path)

/** The rights of a key, one a line, as the consent page shows them. */
export const rulesOf = (lines: string): ConsumerKey["rules"] =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [method = "", path = ""] = line.trim().split(" ")
      return { method, path }
    })
