import { type HttpClient, HttpClientRequest, type HttpMethod, UrlParams } from "@effect/platform"
import { type Duration, Effect, Either, Option, ParseResult, Schema, type SchemaAST } from "effect"
import type { LongComputation } from "../runtime/LongComputation.ts"
import { computeInSlices } from "../runtime/computeInSlices.ts"
import type { ApiAuthorization } from "./apiAuthorization.ts"
import { ProviderError } from "./ProviderError.ts"
import { type ListPage, readPages } from "./readPages.ts"
import { splitJsonArray } from "./splitJsonArray.ts"
import type { AffectedNames } from "./writing/AffectedNames.ts"
import { makeLister } from "./writing/makeLister.ts"
import { callProvider, type ProviderResponse, requireStatus, type ResponseMeaning } from "./callProvider.ts"

/** An HTTP API of a provider that speaks JSON, with one credential. */
export interface JsonApi {
  /** Sends a request and decodes the response; fields that the schema does not name are left out. */
  readonly call: <A, I>(request: JsonRequest<A, I>) => Effect.Effect<A, ProviderError>
  /** Sends a request and returns the whole response: for headers, or for a body that says nothing new. */
  readonly send: (request: Omit<JsonRequest<void, void>, "schema">) => Effect.Effect<ProviderResponse, ProviderError>
  /** Removes the object at a path; it is done when the API has answered with its status for that. */
  readonly remove: (
    path: string,
    more?: Pick<JsonRequest<void, void>, "headers" | "query">
  ) => Effect.Effect<void, ProviderError>
  readonly list: <A, I, Item, Cursor>(
    list: PagedList<A, I, Item, Cursor>
  ) => Effect.Effect<ReadonlyArray<Item>, ProviderError>
  readonly makeLister: <A, I, Item, Cursor>(
    list: PagedList<A, I, Item, Cursor> & {
      readonly queryAt: (name: string) => JsonRequest<A, I>["query"]
      readonly canListAt?: (name: string) => boolean
    }
  ) => (names: Option.Option<AffectedNames>) => Effect.Effect<ReadonlyArray<Item>, ProviderError>
}

interface JsonRequest<A, I> {
  readonly method: HttpMethod.HttpMethod
  /** Begins with `/`; its parts are encoded already. */
  readonly path: string
  readonly query?: QueryParameters
  /** Besides those of the authorization: the condition of a write. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly schema: Schema.Schema<A, I>
  /** Whether a response of that many bytes is received; without it, up to a megabyte. */
  readonly admits?: (bytes: number) => boolean
}

type QueryParameters = Readonly<Record<string, string | number>>

interface PagedList<A, I, Item, Cursor> extends Pick<JsonRequest<A, I>, "path" | "query" | "schema"> {
  readonly paging: Paging<Cursor>
  readonly toPage: (answer: A, cursor: Cursor) => ListPage<Item, Cursor>
  /** Names an item, as no other item of the list is named. */
  readonly identify: (item: Item) => string | number
  /** For all pages together. */
  readonly timeout: Duration.DurationInput
  readonly pause?: Duration.DurationInput
}

/** How an API is asked for a page; the query of each call also has what `toQuery` returns. */
interface Paging<Cursor> {
  readonly perPage: number
  /** Where the first page begins. */
  readonly first: Cursor
  readonly toQuery: (cursor: Cursor) => QueryParameters
}

/** Pages that are numbered from 1. */
export const byNumber = (perPage: number, sizeParameter = "per_page"): Paging<number> => ({
  perPage,
  first: 1,
  toQuery: (page) => ({ page, [sizeParameter]: perPage })
})

/** Pages that a token of the page before names, as the parameter of that name. */
export const byToken = (perPage: number, parameter: string, sizeParameter: string): Paging<string | undefined> => ({
  perPage,
  first: undefined,
  toQuery: (token) => ({ [sizeParameter]: perPage, ...(token === undefined ? {} : { [parameter]: token }) })
})

/** Makes the API at a base URL without final slash; `interpret` reads responses whose status does not tell. */
export const makeJsonApi = ({
  authorization,
  baseUrl,
  http,
  interpret,
  removedBy = 204,
  timeout
}: {
  readonly http: HttpClient.HttpClient
  readonly baseUrl: string
  readonly authorization: ApiAuthorization
  /** How the API says that something is removed; a 200 comes with JSON, unless it must be empty. */
  readonly removedBy?: 200 | 204 | "an empty 200"
  readonly interpret?: (response: ProviderResponse) => ResponseMeaning | undefined
  readonly timeout: Duration.DurationInput
}): JsonApi => {
  const send: JsonApi["send"] = ({ admits, body, headers, method, path, query = {} }) =>
    Effect.gen(function* () {
      const url = `${baseUrl}${path}`
      const address = Object.keys(query).length === 0 ? url : `${url}?${UrlParams.toString(UrlParams.fromInput(query))}`
      const parts = yield* authorization.authorize({ method, url: address, body: toBodyText(body) })
      const request = HttpClientRequest.make(method)(address, {
        acceptJson: true,
        headers: { ...headers, ...parts.headers },
        urlParams: parts.query
      })
      const { members } = parts
      const content = members === undefined ? body : Object.assign({}, body, members)
      const complete = content === undefined ? request : HttpClientRequest.bodyUnsafeJson(request, content)
      return yield* callProvider(http, complete, {
        admits,
        secrets: [...authorization.secrets, ...(parts.secrets ?? [])],
        timeout,
        ...(interpret === undefined ? {} : { interpret })
      })
    })
  const call: JsonApi["call"] = ({ schema, ...request }) =>
    Effect.flatMap(send(request), (response) => decodeBody(response, schema))
  const list = <A, I, Item, Cursor>(whole: PagedList<A, I, Item, Cursor>) => {
    const { paging, path, query = {}, schema, toPage, ...pages } = whole
    return readPages<Item, Cursor>({
      ...pages,
      readPage: (cursor = paging.first, admits) =>
        Effect.map(
          call({ method: "GET", path, query: { ...query, ...paging.toQuery(cursor) }, schema, admits }),
          (answer) => toPage(answer, cursor)
        )
    })
  }
  return {
    send,
    remove: (path, more = {}) =>
      Effect.flatMap(send({ ...more, method: "DELETE", path }), (response) =>
        Effect.zipRight(
          requireStatus(removedBy === 204 ? 204 : 200)(response),
          removedBy === 200 ? Effect.asVoid(decodeBody(response, Schema.Unknown)) : requireEmpty(response)
        )
      ),
    call,
    list,
    makeLister: ({ canListAt = () => true, queryAt, ...whole }) =>
      makeLister({
        canListAt,
        perPage: whole.paging.perPage,
        listAll: list(whole),
        listAt: (name) => list({ ...whole, query: { ...whole.query, ...queryAt(name) } })
      })
  }
}

/** Fails for an answer with a body, which is of somebody else where the API has none. */
const requireEmpty = ({ excerpt, text }: ProviderResponse): Effect.Effect<void, ProviderError> =>
  text === "" ? Effect.void : Effect.fail(new ProviderError({ kind: "malformed", detail: `not empty: ${excerpt}` }))

/** The text that is sent, which a signature may have to cover. */
const toBodyText = (body: unknown): string => (body === undefined ? "" : JSON.stringify(body))

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
 * Parses a JSON text with long arrays, in parts with possible pauses: the text itself, members of its object, or the
 * same within their items. None if it is not JSON, or if something else in it is long.
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

/** The longest JSON without a long array, such as an item; a set of records of a DNS message takes less. */
const maxWholeLength = 1024 * 1024

/** The schema of an array decoded in slices, between which the event loop runs; the first faulty item fails it. */
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
