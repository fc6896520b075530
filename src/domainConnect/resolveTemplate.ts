import { Either } from "effect"
import { normalizeData } from "./normalData.ts"
import { parseText } from "./presentationText.ts"
import { fieldsOf, groupsOf, type Template, type TemplateField, type TemplateRecord, variable } from "./Template.ts"

/** A record of a zone; its name is full, in lower case, without a final dot. */
export interface ZoneEntry {
  /** Also `REDIR301`, `REDIR302` and `APEXCNAME`, which are no types of DNS, and `SPFM` before it is merged. */
  readonly type: string
  readonly name: string
  /** The target, the text, or what else the type has in presentation format. */
  readonly data: string
  /** Seconds; absent where the type has none. */
  readonly ttl?: number | undefined
  readonly priority?: number | undefined
  readonly weight?: number | undefined
  readonly port?: number | undefined
}

/** Where a template is applied, and with which values. */
export interface TemplateUse {
  /** The zone, which the provider serves. */
  readonly domain: string
  /** Labels below it; `""` is the zone itself. */
  readonly host: string
  readonly variables: Readonly<Record<string, string>>
  /** The groups whose records are applied beside those without a group; all groups if absent. */
  readonly groups?: ReadonlyArray<string> | undefined
}

export type TemplateRefusal =
  | { readonly code: "host_required" }
  | { readonly code: "unknown_group"; readonly group: string }
  | { readonly code: "missing_variable"; readonly variable: string }
  | { readonly code: "invalid_record"; readonly type: string; readonly field: string }

/** A template's record with all variables replaced, together with where it comes from. */
export interface ResolvedRecord {
  readonly entry: ZoneEntry
  readonly source: TemplateRecord
}

/** Replaces the variables of the records that are applied. */
export const resolveTemplate = (
  template: Template,
  use: TemplateUse
): Either.Either<ReadonlyArray<ResolvedRecord>, TemplateRefusal> => {
  if (template.hostRequired === true && use.host === "") return Either.left({ code: "host_required" })
  const unknown = use.groups?.find((group) => !groupsOf(template).includes(group))
  if (unknown !== undefined) return Either.left({ code: "unknown_group", group: unknown })
  return Either.all(
    template.records
      .filter(isIn(use.groups))
      .map((source) => Either.map(resolveRecord(source, use), (entry) => ({ entry, source })))
  )
}

const isIn =
  (groups: TemplateUse["groups"]) =>
  ({ groupId = "" }: TemplateRecord): boolean =>
    groups === undefined || groupId === "" || groups.includes(groupId)

const resolveRecord = (record: TemplateRecord, use: TemplateUse): Either.Either<ZoneEntry, TemplateRefusal> =>
  Either.gen(function* () {
    const type = record.type.toUpperCase()
    const fields = fieldsOf(type)
    const values = givenValues(use)
    const number = (field: "ttl" | TemplateField) =>
      Either.flatMap(interpolate(`${record[field] ?? ""}`, values), (digits) =>
        /^\d{1,10}$/.test(digits)
          ? Either.right(Number(digits))
          : Either.left({ code: "invalid_record" as const, type, field })
      )
    const owner = yield* interpolate(ownerPatternOf(record), values)
    const [data = "data"] = fields
    const value = yield* interpolate(`${record[data] ?? ""}`, values)
    return {
      type,
      name: toFullName(owner, values.fqdn),
      data: toData(type, value, values.fqdn),
      ttl: record.ttl === undefined || isRedirect(type) ? undefined : yield* number("ttl"),
      priority: fields.includes("priority") ? yield* number("priority") : undefined,
      weight: fields.includes("weight") ? yield* number("weight") : undefined,
      port: fields.includes("port") ? yield* number("port") : undefined
    }
  })

/** The pattern of the owner's labels; service and protocol of SRV stand before its name. */
export const ownerPatternOf = ({ host, name, protocol, service, type }: TemplateRecord): string => {
  if (type.toUpperCase() !== "SRV") return host ?? "@"
  const labels = [service, protocol].map((label = "") => (label.startsWith("_") ? label : `_${label}`))
  const below = name === undefined || name === "@" || name === "" ? [] : [name]
  return [...labels, ...below].join(".")
}

/** The values of all variables, with those that follow from the place. */
export const givenValues = ({ domain, host, variables }: TemplateUse) => {
  const zone = domain.toLowerCase()
  const below = host.toLowerCase()
  return { ...variables, domain: zone, host: below, fqdn: below === "" ? zone : `${below}.${zone}` }
}

/** Replaces each variable once: what a value has that looks like a variable stays as it is. */
export const interpolate = (
  pattern: string,
  values: Readonly<Record<string, string>>
): Either.Either<string, TemplateRefusal> => {
  const missing = [...pattern.matchAll(variable)]
    .map(([, name = ""]) => name)
    .find((name) => !Object.hasOwn(values, name))
  return missing === undefined
    ? Either.right(pattern.replace(variable, (_, name: string) => values[name] ?? ""))
    : Either.left({ code: "missing_variable", variable: missing })
}

/** The full name of labels below `fqdn`; `@`, and nothing, are `fqdn` itself, and a final dot ends an absolute name. */
const toFullName = (labels: string, fqdn: string): string => {
  const name = labels.toLowerCase()
  if (name === "" || name === "@") return fqdn
  return name.endsWith(".") ? name.slice(0, -1) : `${name}.${fqdn}`
}

const toData = (type: string, value: string, fqdn: string): string => {
  if (isTarget(type)) return toTargetName(value, fqdn)
  return type === "TXT" ? parseText(value) : normalizeData(type, value)
}

/** A target is absolute with and without a final dot; `.` is none. */
const toTargetName = (target: string, fqdn: string): string => {
  if (target === "" || target === "@") return fqdn
  return target === "." ? target : target.toLowerCase().replace(/\.$/, "")
}

/** Whether the data of a type are a name. */
export const isTarget = (type: string): boolean => ["CNAME", "APEXCNAME", "NS", "MX", "SRV"].includes(type)

export const isRedirect = (type: string): boolean => type === "REDIR301" || type === "REDIR302"
