import { HttpBody, HttpClientRequest } from "@effect/platform"
import { AwsV4Signer } from "aws4fetch"
import { DateTime, Effect, Redacted } from "effect"

/** An access key of AWS; one of a session has a token too. */
export interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken?: Redacted.Redacted
}

/** What must not be quoted of a key. */
export const secretsOf = ({ secretAccessKey, sessionToken }: AwsKey): ReadonlyArray<Redacted.Redacted> =>
  sessionToken === undefined ? [secretAccessKey] : [secretAccessKey, sessionToken]

/** Signs a request to a service of AWS in us-east-1 (Signature Version 4); one with a body is a POST. */
export const signAwsRequest = (
  { accessKeyId, secretAccessKey, sessionToken }: AwsKey,
  service: "route53" | "sts",
  { body, contentType, url }: { readonly url: string; readonly body?: string; readonly contentType?: string }
): Effect.Effect<HttpClientRequest.HttpClientRequest> =>
  Effect.gen(function* () {
    const signer = new AwsV4Signer({
      url,
      ...(body === undefined ? {} : { body }),
      accessKeyId,
      secretAccessKey: Redacted.value(secretAccessKey),
      ...(sessionToken === undefined ? {} : { sessionToken: Redacted.value(sessionToken) }),
      service,
      region: "us-east-1",
      datetime: DateTime.formatIso(yield* DateTime.now).replace(/[:-]|\.\d{3}/g, "")
    })
    const signed = yield* Effect.promise(() => signer.sign())
    const content = body === undefined ? {} : { body: HttpBody.text(body, contentType) }
    return HttpClientRequest.make(body === undefined ? "GET" : "POST")(signed.url, {
      headers: signed.headers,
      ...content
    })
  })
