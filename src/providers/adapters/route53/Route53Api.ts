import { type HttpClient, HttpClientRequest, UrlParams } from "@effect/platform"
import { AwsV4Signer } from "aws4fetch"
import { DateTime, type Duration, Effect, Redacted, type Schema } from "effect"
import { callProvider, type ProviderResponse, type ResponseMeaning } from "../../callProvider.ts"
import type { ProviderError } from "../../ProviderError.ts"
import type { AccessKey } from "../../readToken.ts"
import { decodeAnswer } from "./route53Xml.ts"

/** Sends a signed request, with a body as a POST, and decodes its answer. */
export type CallRoute53 = <A, I>(request: {
  /** Below `/2013-04-01/`. */
  readonly path: string
  readonly query?: UrlParams.Input
  /** XML. */
  readonly body?: string
  readonly schema: Schema.Schema<A, I>
  readonly admits?: (bytes: number) => boolean
}) => Effect.Effect<A, ProviderError>

/** Makes the calls with one access key to the only endpoint, which belongs to the region us-east-1. */
export const makeRoute53Api =
  (
    http: HttpClient.HttpClient,
    { accessKeyId, secretAccessKey }: AccessKey,
    timeout: Duration.DurationInput
  ): CallRoute53 =>
  ({ admits, body, path, query = {}, schema }) =>
    Effect.gen(function* () {
      const now = DateTime.formatIso(yield* DateTime.now)
      const method = body === undefined ? "GET" : "POST"
      const parameters = UrlParams.toString(UrlParams.fromInput(query))
      const signer = new AwsV4Signer({
        method,
        url: `https://route53.amazonaws.com/2013-04-01/${path}${parameters && `?${parameters}`}`,
        ...(body === undefined ? {} : { body }),
        accessKeyId,
        secretAccessKey: Redacted.value(secretAccessKey),
        service: "route53",
        region: "us-east-1",
        datetime: now.replace(/[:-]|\.\d{3}/g, "")
      })
      const { headers, url } = yield* Effect.promise(() => signer.sign())
      const request = HttpClientRequest.make(method)(url, { headers })
      const response = yield* callProvider(
        http,
        body === undefined ? request : HttpClientRequest.bodyText(request, body, "text/xml"),
        { admits, interpret, secrets: [secretAccessKey], timeout }
      )
      return yield* decodeAnswer(response, schema)
    })

/** The status says little: throttling, and a batch that presumes what is no longer so, are 400 too. */
const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  const code = /<Code>(\w+)<\/Code>|<(InvalidChangeBatch)[ >]/.exec(text)?.slice(1).join("") ?? ""
  const kind = code === "InvalidChangeBatch" && staleBatch.test(text) ? "conflict" : errorKinds[code]
  return status < 400 || kind === undefined ? undefined : { kind }
}

/** A set exists that must not, or none that must, or another one; or an alias has taken the name. */
const staleBatch =
  /but it already exists|but it was not found|do not match the current values|a conflicting RRSet|conflicts with other records/

const errorKinds: Readonly<Record<string, ProviderError["kind"]>> = {
  Throttling: "rate_limited",
  PriorRequestNotComplete: "busy",
  InvalidClientTokenId: "credential_refused",
  SignatureDoesNotMatch: "credential_refused",
  ExpiredToken: "credential_refused",
  OptInRequired: "not_entitled",
  LimitsExceeded: "not_entitled"
}
