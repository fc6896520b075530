import { Redacted } from "effect"
import { createHash, createHmac } from "node:crypto"
import type { Credential } from "../../../src/domain/provider/Credential.ts"
import type { VendorAnswer, VendorCall } from "./VendorCall.ts"
import type { ReceivedRequest } from "./VendorServer.ts"

/** A key at a fake of AWS; one of a session has a token too. */
interface FakeAwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  /** It may read, but not write. */
  readonly isReadOnly?: true
}

/** Keys of a customer, of the operator's own user, and of a session of any role. */
export const fakeKeys = {
  valid: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
  readOnly: {
    accessKeyId: "AKIAREADONLY7EXAMPLE",
    secretAccessKey: "read+only/K7MDENG/bPxRfiCYEXAMPLEKEY1",
    isReadOnly: true
  },
  operator: { accessKeyId: "AKIAOPERATOR7EXAMPLE", secretAccessKey: "operator/K7MDENG/bPxRfiCYEXAMPLEKEY00001" },
  session: {
    accessKeyId: "ASIASESSION7EXAMPLE0",
    secretAccessKey: "session/K7MDENG/bPxRfiCYEXAMPLEKEY000001",
    sessionToken: "token-of-the-session"
  }
} as const satisfies Readonly<Record<string, FakeAwsKey>>

const toCredential = ({ accessKeyId, secretAccessKey }: FakeAwsKey): Credential => ({
  _tag: "access_key_secret",
  accessKeyId,
  secretAccessKey: Redacted.make(secretAccessKey)
})

/** The keys of a customer as the service gets them; the wrong ones also in a spelling that no header may have. */
export const awsCredentials = {
  credential: toCredential(fakeKeys.valid),
  readOnlyCredential: toCredential(fakeKeys.readOnly),
  wrongCredentials: [
    { ...fakeKeys.valid, secretAccessKey: "wrong" },
    { ...fakeKeys.valid, accessKeyId: "AKIAUNKNOWN7EXAMPLE0" },
    { ...fakeKeys.valid, secretAccessKey: `${fakeKeys.valid.secretAccessKey}\n` }
  ].map(toCredential)
}

/** An error as the services of AWS with bodies of XML answer it. */
export const awsError = (status: number, Code: string, Message = "no"): VendorAnswer => ({
  status,
  body: {
    ErrorResponse: { Error: { Type: "Sender", Code, Message }, RequestId: "d9642252-1ee9-4442-b5c2-4ee631850496" }
  }
})

const unknownKey = awsError(403, "InvalidClientTokenId", "The security token included in the request is invalid.")
const unsigned = awsError(
  403,
  "SignatureDoesNotMatch",
  "The request signature we calculated does not match the signature you provided."
)

/** Refuses each request to a host of AWS that no key signs which allows it (Signature Version 4). */
export const requireSignature =
  (host: string, keys: ReadonlyArray<FakeAwsKey>) =>
  (headers: Headers, { isWrite, method, path, query }: VendorCall, { text }: ReceivedRequest) => {
    const { date = "", keyId, service = "", signature, signedHeaders = "" } = readAuthorization(headers)
    const key = keys.find(({ accessKeyId }) => accessKeyId === keyId)
    if (key === undefined || (headers.get("x-amz-security-token") ?? undefined) !== key.sessionToken) return unknownKey
    const names = signedHeaders.split(";")
    const time = headers.get("x-amz-date") ?? ""
    // Tests send requests to loopback, but what is signed is the host of AWS.
    const valueOf = (name: string) => (name === "host" ? host : (headers.get(name) ?? "").trim().replace(/ +/g, " "))
    const parameters = [...query].map((parameter) => parameter.map(encode).join("="))
    const canonical = [
      method,
      path.split("/").map(encode).join("/"),
      parameters.toSorted().join("&"),
      ...names.map((name) => `${name}:${valueOf(name)}`),
      "",
      signedHeaders,
      sha256(text)
    ]
    const scope = [date, "us-east-1", service, "aws4_request"]
    const signingKey = scope.reduce<string | Buffer>(hmac, `AWS4${key.secretAccessKey}`)
    const signed = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical.join("\n"))].join("\n")
    const isComplete = names.includes("host") && time.startsWith(date) && service === host.split(".")[0]
    if (!isComplete || hmac(signingKey, signed).toString("hex") !== signature) return unsigned
    return isWrite && key.isReadOnly === true ? awsError(403, "AccessDenied", "User is not authorized") : undefined
  }

const readAuthorization = (headers: Headers): Readonly<Record<string, string>> =>
  /^AWS4-HMAC-SHA256 Credential=(?<keyId>[^/]+)\/(?<date>\d{8})\/us-east-1\/(?<service>\w+)\/aws4_request, ?SignedHeaders=(?<signedHeaders>[\w;-]+), ?Signature=(?<signature>[\da-f]{64})$/.exec(
    headers.get("authorization") ?? ""
  )?.groups ?? {}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()
