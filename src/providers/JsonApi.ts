import { type HttpClient, HttpClientRequest, type HttpMethod } from "@effect/platform"
import { type Duration, Effect, Either, Option, ParseResult, Redacted, Schema, type SchemaAST } from "effect"
import type { LongComputation } from "../runtime/LongComputation.ts"
import { computeInSlices } from "../runtime/computeInSlices.ts"
import { ProviderError } from "./ProviderError.ts"
import { type ListPage, readPages } from "./readPages.ts"
import { splitJsonArray } from "./splitJsonArray.ts"
import type { AffectedNames } from "./writing/AffectedNames.ts"
import { makeLister } from "./writing/makeLister.ts"
import { callProvider, type ProviderResponse, requireNoContent, type ResponseMeaning } from "./callProvider.ts"

/** An HTTP API of a provider that speaks JSON, with one credential. */
export interface JsonApi {
  /** Sends a request and decodes the response; fields that the schema does not name are left out. */
  readonly call: <A, I>(request: JsonRequest<A, I>) => Effect.Effect<A, ProviderError>
  /** Sends a request and returns the whole response: for headers, or for a body that says nothing new. */
  readonly send: (request: Omit<JsonRequest<void, void>, "schema">) => Effect.Effect<ProviderResponse, ProviderError>
  /** Removes what is at a path; done by a 204, as all APIs so far document it. */
  readonly remove: (path: string) => Effect.Effect<void, ProviderError>
  /** Reads all pages of a list, as `readPages` does. */
  readonly list: <A, I, Item>(list: NumberedList<A, I, Item>) => Effect.Effect<ReadonlyArray<Item>, ProviderError>
  /** Makes the `makeLister` of a list that `queryAt` restricts to one name. */
  readonly makeLister: <A, I, Item>(
    list: NumberedList<A, I, Item> & {
      readonly queryAt: (name: string) => JsonRequest<A, I>["query"]
      readonly canListAt?: (name: string) => boolean
    }
  ) => (names: Option.Option<AffectedNames>) => Effect.Effect<ReadonlyArray<Item>, ProviderError>
}

/** One call, and what its response must be. */
interface JsonRequest<A, I> {
  readonly method: HttpMethod.HttpMethod
  /** Begins with `/`; its parts are encoded already. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly schema: Schema.Schema<A, I>
  /** Whether a response of that many bytes is received; without it, up to a megabyte. */
  readonly admits?: (bytes: number) => boolean
}

/** A list whose pages are numbered from 1; the query of each call also has `page` and `per_page`. */
interface NumberedList<A, I, Item> extends Pick<JsonRequest<A, I>, "path" | "query" | "schema"> {
  readonly perPage: number
  readonly toPage: (answer: A, page: number) => NumberedPage<Item>
  /** Names an item, as no other item of the list is named. */
  readonly identify: (item: Item) => string | number
  /** For all pages together. */
  readonly timeout: Duration.DurationInput
  readonly pause?: Duration.DurationInput
}

interface NumberedPage<Item> extends Pick<ListPage<Item, number>, "items" | "total"> {
  readonly hasNext: boolean
}

/** Makes the API at a base URL without final slash. `interpret` says what a response means where its status does not. */
export const makeJsonApi = ({
  authorization,
  baseUrl,
  http,
  interpret,
  timeout
}: {
  readonly http: HttpClient.HttpClient
  readonly baseUrl: string
  /** The value of the header `Authorization`: a scheme and the secret. */
  readonly authorization: { readonly scheme: string; readonly secret: Redacted.Redacted }
  readonly interpret?: (response: ProviderResponse) => ResponseMeaning | undefined
  readonly timeout: Duration.DurationInput
}): JsonApi => {
  const { scheme, secret } = authorization
  const authorize = HttpClientRequest.setHeaders({
    accept: "application/json",
    authorization: `${scheme} ${Redacted.value(secret)}`
  })
  const send: JsonApi["send"] = ({ admits, body, method, path, query = {} }) => {
    const request = authorize(HttpClientRequest.make(method)(`${baseUrl}${path}`, { urlParams: query }))
    return callProvider(http, body === undefined ? request : HttpClientRequest.bodyUnsafeJson(request, body), {
      admits,
      secrets: [secret],
      timeout,
      ...(interpret === undefined ? {} : { interpret })
    })
  }
  const call: JsonApi["call"] = ({ schema, ...request }) =>
    Effect.flatMap(send(request), (response) => decodeBody(response, schema))
  const list: JsonApi["list"] = ({ path, perPage, query = {}, schema, toPage, ...pages }) =>
    readPages({
      ...pages,
      readPage: (page: number = 1, admits) =>
        Effect.map(
          call({ method: "GET", path, query: { ...query, page, per_page: perPage }, schema, admits }),
          (answer) => {
            const { hasNext, ...read } = toPage(answer, page)
            return { ...read, next: hasNext ? page + 1 : undefined }
          }
        )
    })
  return {
    send,
    remove: (path) => Effect.flatMap(send({ method: "DELETE", path }), requireNoContent),
    call,
    list,
    makeLister: ({ canListAt = () => true, queryAt, ...whole }) =>
      makeLister({
        canListAt,
        perPage: whole.perPage,
        listAll: list(whole),
        listAt: (name) => list({ ...whole, query: { ...whole.query, ...queryAt(name) } })
      })
  }
}

/** Decodes the body of a response of `send`, for callers that need its headers too. */
export const decodeBody = <A, I>(
  { excerpt, text }: ProviderResponse,
  schema: JsonRequest<A, I>["schema"]
): Effect.Effect<A, ProviderError> =>
  Effect.mapError(
    Effect.flatMap(Effect.flatten(computeInSlices(parseLongJson(text))), Schema.decodeUnknown(schema)),
    () => new ProviderError({ kind: "malformed", detail: `not the expected JSON: ${excerpt}` })
  )

/**
 * Parses a JSON text whose length is that of its long arrays, which are the text itself, members of its object, or the
 * same within their items: each array in parts, with a possible pause after each. None if the text is not JSON, or if
 * something else in it is long.
 */
function* parseLongJson(text: string, depth = 0): LongComputation<Option.Option<unknown>> {
  if (text.length <= wholeLength) return parse(text)
  if (depth > maxDepth) return Option.none()
  const split = yield* splitJsonArray(text, undefined)
  if (split === undefined) return Option.none()
  if (split.parts.length === 0) return text.length <= maxWholeLength ? parse(text) : Option.none()
  const items: Array<unknown> = []
  for (const part of split.parts) {
    const parsed = yield* parseItems(part, depth)
    if (Option.isNone(parsed)) return Option.none()
    items.push(...parsed.value)
    yield
  }
  return Option.map(yield* parseLongJson(split.rest, depth + 1), (value) =>
    Array.isArray(value) || typeof value !== "object" || value === null
      ? items
      : Object.defineProperty(value, String(JSON.parse(`"${split.key}"`)), { value: items, enumerable: true })
  )
}

/** Parses a part of an array; one that is long has an item with a long array in it. */
function* parseItems(part: string, depth: number): LongComputation<Option.Option<ReadonlyArray<unknown>>> {
  const list = `[${part}]`
  if (list.length <= wholeLength) return Option.filter(parse(list), Array.isArray)
  const split = yield* splitJsonArray(list, undefined, 0)
  if (split === undefined) return Option.none()
  const items: Array<unknown> = []
  for (const text of split.parts) {
    const item = yield* parseLongJson(text, depth + 1)
    if (Option.isNone(item)) return Option.none()
    items.push(item.value)
  }
  return Option.some(items)
}

const parse = Schema.decodeUnknownOption(Schema.parseJson())

/** How many long arrays are in each other, or beside each other in one object; answers of providers have two. */
const maxDepth = 8

/** Texts of that length are parsed at once, in a millisecond or two. */
const wholeLength = 256 * 1024

/** What has no long array: an item of a list, or all that is beside lists. A set of records of a DNS message takes less. */
const maxWholeLength = 1024 * 1024

/**
 * Makes the schema of an array that may be long, such as the records of a zone: its items are decoded in slices, between
 * which the event loop runs. The first faulty item fails the array.
 */
export const longArray = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.declare<ReadonlyArray<A>, ReadonlyArray<I>, readonly []>([], {
    decode: () => mapItems(ParseResult.decodeUnknownEither(item)),
    encode: () => mapItems(ParseResult.encodeUnknownEither(item))
  })

const mapItems =
  <A>(map: (item: unknown) => Either.Either<A, ParseResult.ParseIssue>) =>
  (input: unknown, _: unknown, ast: SchemaAST.Declaration): Effect.Effect<ReadonlyArray<A>, ParseResult.ParseIssue> =>
    Array.isArray(input)
      ? Effect.flatten(computeInSlices(mapEach(input, map)))
      : Effect.fail(new ParseResult.Type(ast, input))

/** Maps each item, with a possible pause after it, until one fails. */
function* mapEach<A, E>(
  items: ReadonlyArray<unknown>,
  map: (item: unknown) => Either.Either<A, E>
): LongComputation<Either.Either<ReadonlyArray<A>, E>> {
  const mapped: Array<A> = []
  for (const item of items) {
    const result = map(item)
    if (Either.isLeft(result)) return Either.left(result.left)
    mapped.push(result.right)
    yield
  }
  return Either.right(mapped)
}
