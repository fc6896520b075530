import { Either, Predicate, Schema } from "effect"
import { checkTemplateRecord, type TemplateFinding } from "./checkTemplateRecord.ts"
import { parseTemplate, Template, TemplateRecord } from "./Template.ts"
import { ownerPatternOf } from "./resolveTemplate.ts"
import { listIgnoredFeatures, providerProfiles, type TemplateFeature } from "./providerProfiles.ts"

/** Checks a template by template.schema, the template repository's ten rules, and its linter, without network. */
export const checkTemplate = (json: string): ReadonlyArray<TemplateFinding> =>
  Either.match(parseTemplate(json), {
    onLeft: (message) => [{ level: "error", rule: "template.schema", path: "", message }],
    onRight: (template) => [
      ...checkMembers(template),
      ...listUnknownMembers(json),
      ...template.records.flatMap((record, index) =>
        checkTemplateRecord(record, template).map((finding) => ({
          ...finding,
          path: `records.${index}${finding.path === "" ? "" : `.${finding.path}`}`
        }))
      ),
      ...checkTogether(template)
    ]
  })

/** As `checkTemplate`, with what the name of its file has to be, and what providers ignore of it. */
export const checkTemplateFile = (json: string, fileName?: string): ReadonlyArray<TemplateFinding> => [
  ...checkTemplate(json),
  ...Either.match(parseTemplate(json), {
    onLeft: () => [],
    onRight: (template) => [...checkFileName(template, fileName), ...checkAtProviders(template)]
  })
]

const checkFileName = ({ providerId, serviceId }: Template, fileName?: string): ReadonlyArray<TemplateFinding> => {
  const expected = `${providerId}.${serviceId}.json`.toLowerCase()
  return fileName === undefined || fileName === expected
    ? []
    : [{ level: "error", rule: "DCTL1003", path: "", message: `must be in a file ${expected}` }]
}

/** Each is the linter's number for Cloudflare. A template with such a feature is not offered there. */
const ignoredFeatureRules: { readonly [_ in TemplateFeature]: string } = {
  syncBlock: "DCTL5000",
  sharedServiceName: "DCTL5002",
  multiInstance: "DCTL5004",
  hostRequired: "DCTL5006",
  txtConflictMatchingMode: "DCTL5008",
  APEXCNAME: "DCTL5009",
  essential: "DCTL5011"
}

const checkAtProviders = (template: Template): ReadonlyArray<TemplateFinding> =>
  providerProfiles.flatMap((profile) =>
    listIgnoredFeatures(template, profile).map((feature) =>
      warn(ignoredFeatureRules[feature], "", `is not offered at ${profile.id}, which ignores ${feature}`)
    )
  )

/** Whether findings keep a template out of the template repository. */
export const hasErrors = (findings: ReadonlyArray<TemplateFinding>): boolean =>
  findings.some(({ level }) => level === "error")

/** A test that holds for a template with a fault. */
type TemplateRule = readonly [
  isFaulty: (template: Template) => boolean,
  finding: TemplateFinding["level"],
  rule: string,
  path: string,
  message: string
]

const rules: ReadonlyArray<TemplateRule> = [
  [
    ({ syncPubKeyDomain = "" }) => syncPubKeyDomain === "",
    "error",
    "rule 1, DCTL1029",
    "syncPubKeyDomain",
    "is missing: without it, nobody can verify who made a link"
  ],
  [
    ({ warnPhishing }) => warnPhishing === true,
    "error",
    "rule 2, DCTL1028",
    "warnPhishing",
    "is for unsigned links only: a provider then warns its customers or refuses"
  ],
  [
    ({ syncBlock, syncRedirectDomain = "" }) => syncBlock !== true && syncRedirectDomain === "",
    "error",
    "rule 3",
    "syncRedirectDomain",
    "is missing: customers could not return to the service"
  ],
  [
    ({ syncRedirectDomain = "" }) => /\s/.test(syncRedirectDomain),
    "warning",
    "DCTL1026",
    "syncRedirectDomain",
    "has white space: some providers compare its parts as they are"
  ],
  [
    ({ syncPubKeyDomain = "" }) => syncPubKeyDomain !== "" && !isHostName(syncPubKeyDomain),
    "error",
    "DCTL1022",
    "syncPubKeyDomain",
    "is no domain name"
  ],
  [
    ({ syncRedirectDomain = "" }) =>
      syncRedirectDomain.split(",").some((part) => part.trim() !== "" && !isHostName(part.trim())),
    "error",
    "DCTL1022",
    "syncRedirectDomain",
    "names what is no domain"
  ],
  [({ providerId }) => !isId(providerId), "error", "DCTL1002", "providerId", "takes letters, digits, '-', '_' and '.'"],
  [({ serviceId }) => !isId(serviceId), "error", "DCTL1002", "serviceId", "takes letters, digits, '-', '_' and '.'"],
  [({ providerId }) => providerId.length > 64, "error", "DCTL1005", "providerId", "has more than 64 characters"],
  [({ serviceId }) => serviceId.length > 64, "error", "DCTL1005", "serviceId", "has more than 64 characters"],
  [
    ({ providerName: { length } }) => length < 1 || length > 64,
    "error",
    "DCTL1005",
    "providerName",
    "must have 1 to 64 characters"
  ],
  [({ serviceName }) => serviceName.length > 255, "error", "DCTL1005", "serviceName", "has more than 255 characters"],
  [({ logoUrl = "" }) => logoUrl !== "" && !isWebUrl(logoUrl), "error", "DCTL1005", "logoUrl", "is no URL of the web"],
  [({ version = 1 }) => version < 0, "warning", "DCTL1006", "version", "is negative"],
  [
    ({ shared, sharedProviderName }) => shared === true && sharedProviderName !== true,
    "error",
    "DCTL1007",
    "shared",
    "is deprecated: set sharedProviderName, too"
  ],
  [
    ({ shared, sharedProviderName }) => sharedProviderName === true && shared !== true,
    "warning",
    "DCTL1008",
    "sharedProviderName",
    "is not known to older providers: set shared, too"
  ],
  [
    ({ providerName }) => hasVariable(providerName),
    "error",
    "DCTL1009",
    "providerName",
    "takes no variable: the customer reads it as it is"
  ],
  [
    ({ serviceName }) => hasVariable(serviceName),
    "error",
    "DCTL1009",
    "serviceName",
    "takes no variable: the customer reads it as it is"
  ],
  [
    ({ hostRequired, records }) => hostRequired !== true && records.some(needsHost),
    "error",
    "template.schema, DCTL1012",
    "hostRequired",
    "must be true: a CNAME or NS record at @ cannot be at the apex of a zone"
  ],
  [
    ({ hostRequired, records }) => hostRequired === true && !records.some(needsHost),
    "warning",
    "DCTL1037",
    "hostRequired",
    "is needed only with a CNAME or NS record at @"
  ],
  [
    ({ multiInstance, records }) => multiInstance === true && records.some((record) => isAtHost(record, ["CNAME"])),
    "warning",
    "DCTL1033",
    "multiInstance",
    "has no use with a CNAME at @: there can be one only"
  ]
]

const checkMembers = (template: Template): ReadonlyArray<TemplateFinding> =>
  rules.flatMap(([isFaulty, level, rule, path, message]) =>
    isFaulty(template) ? [{ level, rule, path, message }] : []
  )

/** Of the characters of DNS names, so that an id can be a part of a URL and of a file name. */
const isId = (text: string): boolean => /^[\w.-]+$/.test(text)

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** A name of two labels or more, perhaps with a final dot (RFC 1123 section 2.1). */
const isHostName = (text: string): boolean => {
  const labels = text.replace(/\.$/, "").split(".")
  return text.length < 255 && labels.length > 1 && labels.every((label) => hostLabel.test(label))
}

const hostLabel = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

const hasVariable = (text: string): boolean => /%[^%]+%/.test(text)

const isAtHost = ({ host, type }: TemplateRecord, types: ReadonlyArray<string>): boolean =>
  types.includes(type.toUpperCase()) && (host === "@" || host === "")

const needsHost = (record: TemplateRecord): boolean => isAtHost(record, ["CNAME", "NS"])

/** Members that no provider reads are mistakes of spelling more often than not. */
const listUnknownMembers = (json: string): ReadonlyArray<TemplateFinding> => {
  const input = Either.getOrElse(decodeJson(json), () => undefined)
  const records = Predicate.hasProperty(input, "records") && Array.isArray(input.records) ? input.records : []
  return [
    ...listUnknownOf(input, Template.fields, ""),
    ...records.flatMap((record, index) => listUnknownOf(record, TemplateRecord.fields, `records.${index}.`))
  ]
}

const listUnknownOf = (value: unknown, known: object, path: string): ReadonlyArray<TemplateFinding> =>
  (Predicate.isRecord(value) ? Object.keys(value) : [])
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({
      level: "warning",
      rule: "DCTL0009",
      path: `${path}${name}`,
      message: "is not a member that the specification knows"
    }))

const decodeJson = Schema.decodeEither(Schema.parseJson())

/** What is wrong with records beside each other. */
const checkTogether = ({ records }: Template): ReadonlyArray<TemplateFinding> => {
  const groups = records.map(({ groupId = "" }) => groupId)
  const different = new Set(groups)
  return [
    ...(records.length > 1 && different.size === 1 && groups[0] !== ""
      ? [warn("DCTL1031", "records", "are all in one group, which then says nothing")]
      : []),
    ...(different.size > 1 && different.has("")
      ? [warn("DCTL1032", "records", "without a group are applied with every group")]
      : []),
    ...(haveOneSuffix(records)
      ? [warn("DCTL1039", "records", "are all below one variable, which the host of the link is made for")]
      : []),
    ...records.flatMap((record, index) => {
      const earlier = records.slice(0, index).filter((other) => mayMeet(record, other))
      const isRepeated = earlier.some((other) => isEqual(record, other))
      const hasAlias = earlier.some((other) => [record, other].some(({ type }) => type.toUpperCase() === "CNAME"))
      return [
        ...(isRepeated ? [warn("DCTL1023", `records.${index}`, "repeats another record")] : []),
        ...(hasAlias
          ? [
              {
                level: "error" as const,
                rule: "DCTL1011",
                path: `records.${index}`,
                message: "stands beside a CNAME, which allows no other record at its host"
              }
            ]
          : [])
      ]
    })
  ]
}

const warn = (rule: string, path: string, message: string): TemplateFinding => ({
  level: "warning",
  rule,
  path,
  message
})

/** Whether both records can be applied together at one host. Different groups are often alternatives. */
const mayMeet = (one: TemplateRecord, other: TemplateRecord): boolean =>
  ownerOf(one) === ownerOf(other) && (one.groupId ?? "") === (other.groupId ?? "")

const haveOneSuffix = (records: ReadonlyArray<TemplateRecord>): boolean => {
  const [first, ...others] = records.map((record) => /%[^%]+%$/.exec(ownerPatternOf(record))?.[0])
  return first !== undefined && others.every((suffix) => suffix === first)
}

const ownerOf = (record: TemplateRecord): string => ownerPatternOf(record) || "@"

const isEqual = Schema.equivalence(TemplateRecord)
