import { OpenApi } from "@effect/platform"
import { Array, Context, DateTime, Option, Schema } from "effect"
import { ListOrder, type ListWindow, type PageRequest } from "../../domain/values/PageRequest.ts"
import { tenancyIdRule } from "../../domain/access/Tenancy.ts"
import { describeMeant, suggestName } from "../../domain/error/ErrorDetail.ts"
import { boundedString, optional } from "../../domain/values/boundedSchemas.ts"
import { QueryTimestamp } from "./requestSchemas.ts"

const describeMoment = (description: string, more: object = {}) =>
  QueryTimestamp.annotations({ jsonSchema: { type: "string", format: "date-time", description, ...more } })

/** The query parameters `createdAfter`, `createdBefore` and `order` of a list, and its order if the request names none. */
export const listWindow = (order: ListOrder) => ({
  createdAfter: optional(describeMoment("Only what was created at this moment or later (ISO 8601).")),
  createdBefore: optional(describeMoment("Only what was created before this moment (ISO 8601).")),
  order: optional(
    ListOrder.annotations({
      jsonSchema: {
        type: "string",
        enum: [...ListOrder.literals],
        default: order,
        description: `The oldest first, or the newest; without it \`${order}\`.`
      }
    })
  )
})

/** The query parameter `cursor`: the `nextCursor` of the previous page. */
export const PageCursor = Schema.optionalWith(
  Schema.String.pipe(Schema.pattern(/^[a-z]{3}_[0-9a-z]{1,60}$/)).annotations({
    description: "The `nextCursor` of the previous page; without it the first page.",
    message: () => "must be the nextCursor of another response"
  }),
  { exact: true }
)

/** The page size if the request names none. */
export const defaultPageLimit = 50

/** The query parameter `limit`: at most this many entries on a page. */
const PageLimit = Schema.optionalWith(
  Schema.String.pipe(
    Schema.maxLength(10),
    Schema.compose(Schema.NumberFromString),
    Schema.int(),
    Schema.between(1, 100)
  ).annotations({
    jsonSchema: {
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: defaultPageLimit,
      description: "The size of a page."
    },
    message: () => ({ message: "must be a whole number from 1 to 100", override: true })
  }),
  { exact: true }
)

/** The field `nextCursor` of a page, absent on the last one. */
export const NextPageCursor = Schema.optionalWith(
  Schema.String.annotations({ description: "The cursor of the next page; absent on the last one." }),
  { exact: true }
)

/** Cuts a page out of rows queried with `limit + 1`. It has at most `maxBytes`, unless its first row alone has more. */
export const paginate = <A extends { readonly id: string }>(
  rows: ReadonlyArray<A>,
  limit: number,
  sizeOf: (row: A) => number = () => 0,
  maxBytes = 0
) => {
  const sizes = Array.scan(rows, 0, (sum, row) => sum + sizeOf(row))
  const page = rows.slice(0, limit).filter((_, index) => index === 0 || (sizes[index + 1] ?? 0) <= maxBytes)
  return { page, nextCursor: rows.length > page.length ? Option.map(Array.last(page), ({ id }) => id) : Option.none() }
}

export const listPage = (order: ListOrder) => ({ ...listWindow(order), cursor: PageCursor, limit: PageLimit })

/** The query parameters of a list in the order of names that the platform gave. */
export const namePage = {
  cursor: Schema.optionalWith(
    Schema.String.pipe(
      Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, { message: () => `must be ${tenancyIdRule}` })
    ).annotations({ description: "The `nextCursor` of the previous page; without it the first page." }),
    { exact: true }
  ),
  limit: PageLimit
}

/** A former name of a moment, which is still accepted. */
export const formerMoment = (present: string) =>
  optional(describeMoment(`The earlier name of \`${present}\`.`, { deprecated: true }))

/** A query parameter that takes one or several of these values, separated by commas. */
export const severalOf = <Value extends string>(
  name: string,
  values: Schema.Literal<readonly [Value, ...Array<Value>]>
) =>
  optional(
    boundedString(500)
      .pipe(Schema.compose(Schema.split(",")), Schema.compose(Schema.Array(values)))
      .annotations({
        jsonSchema: {
          type: "array",
          items: { $ref: `#/components/schemas/${name}` },
          description: "One or several, separated by commas."
        },
        message: ({ actual }) => ({
          message: `must be one or more, with commas between them, of ${values.literals.join(", ")}${describeMeant(suggestSeveral(actual, values.literals))}`,
          override: true
        })
      })
  )

/** The known values that several ones may mean; none unless each of them may mean one. */
const suggestSeveral = (actual: unknown, known: ReadonlyArray<string>): string | undefined => {
  const meant = String(actual)
    .slice(0, 500)
    .split(",")
    .map((value) => (known.includes(value) ? value : suggestName(value, known)))
  return meant.includes(undefined) ? undefined : meant.join()
}

/** The query parameters `metadata[key]`: they select connections with these texts under these names. */
export const metadataFilter = Schema.Record({
  key: Schema.TemplateLiteral("metadata[", Schema.String, "]"),
  value: boundedString(500)
})

/** The metadata of a request with the parameters of `metadataFilter`. */
export const readMetadataFilter = (parameters: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]: readonly [string, unknown]) => {
      const key = /^metadata\[(.*)\]$/s.exec(name)?.[1]
      return key === undefined || typeof value !== "string" ? [] : [[key, value]]
    })
  )

interface ParameterObject {
  readonly name: string
  readonly schema: { readonly type?: string; readonly deprecated?: boolean }
}

/** Completes the parameters of a list in the OpenAPI document: how lists and maps are written, and which are deprecated. */
export const documentListParameters = (...more: ReadonlyArray<object>) =>
  Context.make(OpenApi.Transform, (operation) => ({
    ...operation,
    parameters: [
      ...operation["parameters"].map((parameter: ParameterObject) => ({
        ...parameter,
        ...(parameter.schema.type === "array" ? { style: "form", explode: false } : {}),
        ...(parameter.schema.deprecated === true ? { deprecated: true } : {})
      })),
      ...more
    ]
  }))

/** The query parameter that `metadataFilter` stands for, in the OpenAPI document. */
export const metadataParameter = {
  name: "metadata",
  in: "query",
  required: false,
  style: "deepObject",
  explode: true,
  schema: { type: "object", additionalProperties: { type: "string", maxLength: 500 } },
  description: "Only what has all of these metadata: `metadata[plan]=pro&metadata[region]=eu`."
}

/** The query parameters of a list, as they were decoded. */
export interface WindowParameters {
  readonly createdAfter?: DateTime.Utc | undefined
  readonly createdBefore?: DateTime.Utc | undefined
  readonly order?: ListOrder | undefined
}

export interface PageParameters extends WindowParameters {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export const toListWindow = ({ createdAfter, createdBefore, order }: WindowParameters): ListWindow => ({
  ...(createdAfter === undefined ? {} : { createdAfter: DateTime.toDateUtc(createdAfter) }),
  ...(createdBefore === undefined ? {} : { createdBefore: DateTime.toDateUtc(createdBefore) }),
  ...(order === undefined ? {} : { order })
})

/** The page of a list, with one entry more, which shows that another page follows. */
export const toPageRequest = ({ cursor, limit = defaultPageLimit, ...window }: PageParameters): PageRequest => ({
  ...toListWindow(window),
  limit: limit + 1,
  ...(cursor === undefined ? {} : { after: cursor })
})

/** The page that `toPageRequest` asked for, and the cursor of the next one. */
export const toPage = <A extends { readonly id: string }>(
  rows: ReadonlyArray<A>,
  { limit = defaultPageLimit }: Pick<PageParameters, "limit">
) => {
  const { nextCursor, page } = paginate(rows, limit)
  return { page, ...Option.match(nextCursor, { onNone: () => ({}), onSome: (nextCursor) => ({ nextCursor }) }) }
}
