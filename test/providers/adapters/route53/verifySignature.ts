import { createHash, createHmac } from "node:crypto"

/** What a signature covers of a request to a service of AWS. */
interface SignedAwsRequest {
  readonly service: "route53" | "sts"
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: string
}

/** The key id that a request names, and whether its Signature Version 4 was made with the secret. */
export const verifySignature = (request: SignedAwsRequest, secretOf: (keyId: string) => string | undefined) => {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/us-east-1\/(?:route53|sts)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([\da-f]{64})$/
  const [, keyId = "", date = "", signedHeaders = "", signature] =
    pattern.exec(request.headers.get("authorization") ?? "") ?? []
  const secret = secretOf(keyId)
  return { keyId, isValid: secret !== undefined && signature === sign(request, secret, date, signedHeaders) }
}

const sign = (request: SignedAwsRequest, secret: string, date: string, signedHeaders: string): string | undefined => {
  const time = request.headers.get("x-amz-date") ?? ""
  if (!signedHeaders.split(";").includes("host") || !time.startsWith(date)) return undefined
  const canonicalHeaders = signedHeaders
    .split(";")
    .map(
      (name) =>
        `${name}:${name === "host" ? hosts[request.service] : (request.headers.get(name) ?? "").trim().replace(/ +/g, " ")}\n`
    )
  const canonical = [
    request.method,
    request.path.split("/").map(encode).join("/"),
    [...request.query]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join("&"),
    canonicalHeaders.join(""),
    signedHeaders,
    sha256(request.body)
  ].join("\n")
  const scope = `${date}/us-east-1/${request.service}/aws4_request`
  const key = scope.split("/").reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`)
  return hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")).toString("hex")
}

/** Tests send requests to loopback, but what is signed is the vendor's own host. */
const hosts = { route53: "route53.amazonaws.com", sts: "sts.us-east-1.amazonaws.com" }

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()
