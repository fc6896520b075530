import { Either, ParseResult, Predicate, Schema } from "effect"

/** A number, its digits, or a text with variables. */
const NumberPattern = Schema.Union(Schema.Int, Schema.String)

const text = Schema.optionalWith(Schema.String, { exact: true })
const flag = Schema.optionalWith(Schema.Boolean, { exact: true })
const number = Schema.optionalWith(NumberPattern, { exact: true })

/** A template's record (draft-ietf-dconn-domainconnect-05, "Template Records"). Its type's members: `fieldsOf`. */
export const TemplateRecord = Schema.Struct({
  type: Schema.String,
  /** Labels below the host that the template is applied to; `@` is that host itself. */
  host: text,
  name: text,
  pointsTo: text,
  data: text,
  target: text,
  spfRules: text,
  ttl: number,
  priority: number,
  weight: number,
  port: number,
  protocol: text,
  service: text,
  txtConflictMatchingMode: Schema.optionalWith(Schema.Literal("None", "All", "Prefix"), { exact: true }),
  txtConflictMatchingPrefix: text,
  groupId: text,
  crit: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  essential: Schema.optionalWith(Schema.Literal("Always", "OnApply"), { exact: true })
})
export type TemplateRecord = typeof TemplateRecord.Type

/** A template: the records that a service provider asks for, with variables. Members that are not known are ignored. */
export const Template = Schema.Struct({
  providerId: Schema.NonEmptyString,
  providerName: Schema.String,
  serviceId: Schema.NonEmptyString,
  serviceName: Schema.String,
  version: Schema.optionalWith(Schema.Int, { exact: true }),
  logoUrl: text,
  description: text,
  variableDescription: text,
  /** The provider applies it only after an OAuth agreement, not by a link. */
  syncBlock: flag,
  shared: flag,
  sharedProviderName: flag,
  sharedServiceName: flag,
  /** The comma-separated domains that `redirect_uri` may lead to. */
  syncRedirectDomain: text,
  /** The domain below which the public keys of signatures are published. */
  syncPubKeyDomain: text,
  multiInstance: flag,
  warnPhishing: flag,
  hostRequired: flag,
  templateSpecVersion: Schema.optionalWith(Schema.Literal(1), { exact: true }),
  crit: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  records: Schema.NonEmptyArray(TemplateRecord)
}).annotations({ identifier: "DomainConnectTemplate" })
export type Template = typeof Template.Type

/** Parses a template; the error names wrong members. An unknown one is ignored, unless `crit` requires it. */
export const parseTemplate = (json: string): Either.Either<Template, string> =>
  Either.gen(function* () {
    const input = yield* Either.mapLeft(decodeJson(json), () => "it is not JSON")
    const template = yield* describe(decodeTemplate(input))
    const unknown = [
      ...listUnknown(input, template.crit, Template.fields),
      ...template.records.flatMap(({ crit }, index) => listUnknown(recordAt(input, index), crit, TemplateRecord.fields))
    ]
    return unknown.length === 0 ? template : yield* Either.left(`crit: ${unknown.join(", ")} are not known here`)
  })

const decodeJson = Schema.decodeEither(Schema.parseJson())

const decodeTemplate = Schema.decodeUnknownEither(Template, { errors: "all" })

const describe = <A>(result: Either.Either<A, ParseResult.ParseError>): Either.Either<A, string> =>
  Either.mapLeft(result, (error) =>
    ParseResult.ArrayFormatter.formatErrorSync(error)
      .map(({ message, path }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
      .join("; ")
  )

/** A name that is not there is understood by definition. */
const listUnknown = (input: unknown, names: ReadonlyArray<string> = [], known: object): ReadonlyArray<string> =>
  names.filter((name) => Predicate.hasProperty(input, name) && !Object.hasOwn(known, name))

const recordAt = (input: unknown, index: number): unknown =>
  Predicate.hasProperty(input, "records") && Array.isArray(input.records) ? input.records[index] : undefined

/** The members of a record that become its data, by type; types without members of their own have all of it in `data`. */
export const fieldsOf = (type: string): ReadonlyArray<TemplateField> => fieldsByType[type.toUpperCase()] ?? ["data"]

export type TemplateField = "pointsTo" | "data" | "target" | "spfRules" | "priority" | "weight" | "port"

const fieldsByType: { readonly [type: string]: ReadonlyArray<TemplateField> } = {
  A: ["pointsTo"],
  AAAA: ["pointsTo"],
  CNAME: ["pointsTo"],
  APEXCNAME: ["pointsTo"],
  NS: ["pointsTo"],
  MX: ["pointsTo", "priority"],
  SPFM: ["spfRules"],
  SRV: ["target", "priority", "weight", "port"],
  REDIR301: ["target"],
  REDIR302: ["target"]
}

/** The groups of a template, in their order. */
export const groupsOf = ({ records }: Template): ReadonlyArray<string> => [
  ...new Set(records.flatMap(({ groupId }) => (groupId === undefined || groupId === "" ? [] : [groupId])))
]

export const variable = /%([^%\s]+)%/g

/** The variables that follow from the domain and the host. */
export const givenVariables: ReadonlySet<string> = new Set(["domain", "host", "fqdn"])
