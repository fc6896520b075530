import { isIPv4, isIPv6 } from "node:net"
import { listSpfRules } from "./mergeSpfRules.ts"
import { fieldsOf, type Template, type TemplateRecord, variable } from "./Template.ts"

/** What is wrong with a template, or worth a second thought: `rule` names who says so. */
export interface TemplateFinding {
  /** With an error, the template repository or a provider refuses the template; a warning needs a reason. */
  readonly level: "error" | "warning"
  /** `template.schema`, a rule of the template repository, or a number of its linter. */
  readonly rule: string
  /** The member, such as `records.0.host`; `""` is the template itself. */
  readonly path: string
  readonly message: string
}

/** Checks a record of a template by itself; the paths of the findings begin at the record. */
export const checkTemplateRecord = (
  record: TemplateRecord,
  { multiInstance }: Pick<Template, "multiInstance">
): ReadonlyArray<TemplateFinding> => [
  ...checkPresence(record),
  ...checkVariables(record),
  ...checkNumbers(record),
  ...checkHost(record),
  ...checkType(record),
  ...(checksByType[record.type]?.(record, multiInstance === true) ?? [])
]

type Member = keyof TemplateRecord

type RecordOnlyCheck = (record: TemplateRecord) => ReadonlyArray<TemplateFinding>

type RecordCheck = (record: TemplateRecord, isMultiInstance: boolean) => ReadonlyArray<TemplateFinding>

const fault = (rule: string, path: Member, message: string): TemplateFinding => ({
  level: "error",
  rule,
  path,
  message
})

const caution = (rule: string, path: Member, message: string): TemplateFinding => ({
  ...fault(rule, path, message),
  level: "warning"
})

/** The members that template.schema demands, by the type as it is written there. */
const requiredMembers: { readonly [type: string]: ReadonlyArray<Member> } = {
  A: ["host", "pointsTo", "ttl"],
  AAAA: ["host", "pointsTo", "ttl"],
  CNAME: ["host", "pointsTo", "ttl"],
  NS: ["host", "pointsTo", "ttl"],
  TXT: ["host", "data", "ttl"],
  MX: ["host", "pointsTo", "priority", "ttl"],
  SPFM: ["host", "spfRules"],
  SRV: ["name", "target", "priority", "protocol", "service", "weight", "port", "ttl"],
  REDIR301: ["target"],
  REDIR302: ["target"],
  APEXCNAME: ["pointsTo", "ttl"]
}

const checkPresence: RecordOnlyCheck = (record) => {
  const required = requiredMembers[record.type] ?? ["host", "data", "ttl"]
  const missing = required.filter((member) => record[member] === undefined)
  const empty = required.filter((member) => record[member] === "" && member !== "name")
  const needless = (["pointsTo", "data", "target", "spfRules"] as const).filter(
    (member) => record[member] !== undefined && !fieldsOf(record.type).includes(member)
  )
  return [
    ...missing.map((member) => fault("template.schema", member, `is missing in a record of type ${record.type}`)),
    ...empty.map((member) => fault("DCTL1013", member, "must not be empty")),
    ...needless.map((member) => caution("DCTL0009", member, `has no meaning in a record of type ${record.type}`))
  ]
}

const checkVariables: RecordOnlyCheck = (record) => {
  const texts = Object.entries(record).flatMap(([member, value]) =>
    typeof value === "string" && isMember(member) ? [{ member, value }] : []
  )
  return [
    ...texts
      .filter(({ member, value }) => withoutVariables.includes(member) && hasVariable(value))
      .map(({ member }) => fault("DCTL1009", member, "takes no variable")),
    ...texts
      .filter(({ value }) => value.replace(variable, "").includes("%"))
      .map(({ member }) => fault("DCTL1020", member, "has a % that neither begins nor ends a variable")),
    ...texts
      .filter(({ value }) => [...value.matchAll(variable)].some(([, name = ""]) => !/^[\w.-]+$/.test(name)))
      .map(({ member }) => caution("DCTL1019", member, "has a variable with unusual characters in its name"))
  ]
}

const isMember = (name: string): name is Member => name !== ""

const withoutVariables: ReadonlyArray<string> = ["type", "groupId", "txtConflictMatchingPrefix"]

const hasVariable = (text: string): boolean => /%[^%\s]+%/.test(text)

const isVariable = (text: string): boolean => /^%[^%\s]+%$/.test(text)

const bounds = [
  ["ttl", 0, 2 ** 31 - 1, "DCTL1000"],
  ["priority", 0, 65_535, "DCTL1015"],
  ["weight", 0, 65_535, "DCTL1015"],
  ["port", 1, 65_535, "DCTL1015"]
] as const

/** In template.schema a text is either digits or a variable, so that a variable with a digit in its name is neither. */
const checkNumbers: RecordOnlyCheck = (record) =>
  bounds.flatMap(([member, least, most, rule]) => {
    const value = record[member]
    if (value === undefined || value === "") return []
    if (typeof value === "string" && hasVariable(value))
      return /\d/.test(value)
        ? [fault("template.schema", member, "takes a variable without a digit in its name, or digits alone")]
        : []
    if (typeof value === "string" && !/^\d+$/.test(value))
      return [fault("template.schema", member, "must be a number or a variable")]
    const number = Number(value)
    return number < least || number > most ? [fault(rule, member, `must be ${least} to ${most}`)] : []
  })

/** Checks the member that names where a record is: an SRV record has `name`. */
const checkHost: RecordOnlyCheck = (record) => {
  const member = record.type === "SRV" ? "name" : "host"
  const { [member]: host = "@" } = record
  return [
    ...(host.includes("%host%")
      ? [fault("rule 9, DCTL1024", member, "must not repeat %host%: every name is below the host already")]
      : []),
    ...(host.split(".").some(isVariable) && !host.includes("%host%")
      ? [
          fault(
            isVariable(host) ? "rules 7 and 8, DCTL1040" : "rules 7 and 8",
            member,
            "has a whole label from a variable, which would open the zone: use the host of the link, or a fixed part"
          )
        ]
      : []),
    ...(host.split(".").some((label) => label.replaceAll(variable, "").includes("_", 1))
      ? [caution("DCTL1025", member, "has an underscore inside a label, which some providers refuse")]
      : []),
    ...(/^[\w.@*%-]*$/.test(host) ? [] : [fault("DCTL1027", member, "has characters that are not of host names")])
  ]
}

const checkType: RecordOnlyCheck = ({ type }) => {
  if (["APEXCNAME", "REDIR301", "REDIR302"].includes(type))
    return [caution("DCTL1038", "type", "is not known to many providers")]
  return Object.hasOwn(requiredMembers, type) ? [] : [caution("DCTL1016", "type", "is not known to every provider")]
}

/** A value that is one variable as a whole lets a link write anything. */
const checkBareName =
  (member: "pointsTo" | "target"): RecordCheck =>
  (record) =>
    isVariable(record[member] ?? "")
      ? [
          caution(
            "rule 6, DCTL1040",
            member,
            "is a variable as a whole: give it a fixed part, or say why there is none"
          )
        ]
      : []

const checkAddress =
  (isAddress: (text: string) => boolean, isOther: (text: string) => boolean, otherRule: string): RecordCheck =>
  ({ pointsTo = "" }) => {
    if (pointsTo === "" || hasVariable(pointsTo) || isAddress(pointsTo)) return []
    return isOther(pointsTo)
      ? [fault(otherRule, "pointsTo", "is an address of the other kind")]
      : [fault("DCTL1034", "pointsTo", "must be an address or a variable")]
  }

/** Texts of which a name has one only, by how they begin. */
const uniqueTexts = /^v=(DMARC1|STSv1|TLSRPTv1|BIMI1)\b/i

const checkText: RecordCheck = (record, isMultiInstance) => {
  const { data = "", essential, host = "@", txtConflictMatchingMode: mode = "None" } = record
  const { txtConflictMatchingPrefix: prefix = "" } = record
  const isDmarc = /^_dmarc(\.|$)/i.test(host) || /^v=DMARC1\b/i.test(data)
  const [fixed = ""] = data.split("%")
  return [
    ...(/^"?v=spf1\b/i.test(data)
      ? [fault("rule 4, DCTL1014", "data", "is SPF: use a record of type SPFM, which merges with what is there")]
      : []),
    ...((isDmarc || uniqueTexts.test(data)) && mode === "None"
      ? [fault("rule 5", "txtConflictMatchingMode", "must be set: there can be one such record only")]
      : []),
    ...(!isDmarc && !uniqueTexts.test(data) && mode === "None" && hasVariable(data) && !isMultiInstance
      ? [
          caution(
            "rule 5",
            "txtConflictMatchingMode",
            "is not set: a second use leaves the old value beside the new one"
          )
        ]
      : []),
    ...(isDmarc && essential !== "OnApply"
      ? [fault("rule 10", "essential", "must be OnApply: the customer may change the DMARC policy later")]
      : []),
    ...(isVariable(data)
      ? [caution("rule 6", "data", "is a variable as a whole: give it a fixed prefix, or say why there is none")]
      : []),
    ...(mode === "Prefix" && prefix === ""
      ? [caution("DCTL1042", "txtConflictMatchingPrefix", "is missing: every text would be a conflict")]
      : []),
    ...(mode === "Prefix" && prefix !== "" && fixed !== "" && !fixed.startsWith(prefix) && !prefix.startsWith(fixed)
      ? [caution("DCTL1042", "txtConflictMatchingPrefix", "is not how the text begins")]
      : [])
  ]
}

const checkSpf: RecordCheck = ({ spfRules = "" }) => {
  const terms = spfRules.split(/ +/).filter((term) => term !== "")
  const own = listSpfRules(spfRules)
  const unknown = own.filter((term) => !hasVariable(term) && !spfTerm.test(term))
  return [
    ...(/^v=spf1\b/i.test(spfRules) ? [fault("DCTL1017", "spfRules", "must not have the version v=spf1")] : []),
    ...(terms.some((term) => /^[-~?+]?all$|^redirect=/i.test(term))
      ? [fault("DCTL1017", "spfRules", "must not end the record for all other senders")]
      : []),
    ...unknown.map((term) => fault("DCTL1017", "spfRules", `has the unknown term ${term}`)),
    ...(new Set(terms.map((term) => term.toLowerCase())).size < terms.length
      ? [fault("DCTL1018", "spfRules", "has a term twice")]
      : [])
  ]
}

const spfTerm = /^(?:[-~?+]?(?:include|a|mx|ptr|ip4|ip6|exists)(?:[:/].*)?|exp=.*|v=spf1)$/i

const checkService: RecordCheck = (record) => [
  ...checkBareName("target")(record, false),
  ...(hasVariable(record.protocol ?? "") || /^_?(?:tcp|udp|tls)$/i.test(record.protocol ?? "")
    ? []
    : [caution("DCTL1015", "protocol", "is neither _tcp, _udp nor _tls")])
]

const checkCaa: RecordCheck = ({ data = "" }) =>
  hasVariable(data) || /^\d{1,3}\s+[a-z0-9]+\s+\S/i.test(data)
    ? []
    : [fault("DCTL1041", "data", 'must be flags, tag and value, such as 0 issue "ca.example"')]

const checksByType: { readonly [type: string]: RecordCheck } = {
  A: checkAddress(isIPv4, isIPv6, "DCTL1035"),
  AAAA: checkAddress(isIPv6, isIPv4, "DCTL1036"),
  CNAME: checkBareName("pointsTo"),
  NS: checkBareName("pointsTo"),
  MX: checkBareName("pointsTo"),
  TXT: checkText,
  SPFM: checkSpf,
  SRV: checkService,
  CAA: checkCaa
}
