import type { ZoneEntry } from "./resolveTemplate.ts"
import { isTarget } from "./resolveTemplate.ts"
import { isSpf, listPermittedRules } from "./mergeSpfRules.ts"
import { escapeText, formatText } from "./presentationText.ts"
import type { Template, TemplateRecord } from "./Template.ts"

/** What a draft is made from beside the records. */
export interface DraftOptions extends Pick<Template, "providerId" | "providerName" | "serviceId" | "serviceName"> {
  readonly syncPubKeyDomain: string
  readonly syncRedirectDomain: string
  /** The full name at which the template will be applied. */
  readonly fqdn: string
  /** The parts of values and names that differ between customers, by the names of their variables. */
  readonly variables: Readonly<Record<string, string>>
}

/** Drafts a template of these records at or below `fqdn`, in one group, with the proof of control in another. */
export const draftTemplate = (
  records: ReadonlyArray<ZoneEntry>,
  { fqdn, syncPubKeyDomain, syncRedirectDomain, variables, ...names }: DraftOptions
): Template => {
  const drafted = [...records.map(draftRecord(fqdn, variables)), proofOfControl] as const
  const [first = proofOfControl, ...others] = drafted
  const needsHost = drafted.some(({ host, type }) => host === "@" && (type === "CNAME" || type === "NS"))
  return {
    ...names,
    version: 1,
    syncPubKeyDomain,
    syncRedirectDomain,
    ...(needsHost ? { hostRequired: true } : {}),
    records: [first, ...others]
  }
}

/** The group of the records that make the service work. */
const recordGroup = "records"

/** The TXT record by which the service proves control of a domain, where it asks for that. */
const proofOfControl: TemplateRecord = {
  groupId: "proof",
  type: "TXT",
  host: "_domain-connection",
  data: "domain-connection=%proof%",
  ttl: 300,
  txtConflictMatchingMode: "Prefix",
  txtConflictMatchingPrefix: "domain-connection="
}

const draftRecord =
  (fqdn: string, variables: DraftOptions["variables"]) =>
  ({ data, name, port, priority, ttl = 3600, type, weight }: ZoneEntry): TemplateRecord => {
    const fill = (text: string) => replaceValues(text, variables)
    const host = name === fqdn ? "@" : fill(name.slice(0, -fqdn.length - 1))
    const common = { groupId: recordGroup, type, host, ttl }
    if (type === "TXT" && isSpf(data))
      return { groupId: recordGroup, type: "SPFM", host, spfRules: fill(listPermittedRules(data).join(" ")) }
    if (type === "TXT") return { ...common, data: fill(toTextData(data)), ...conflictRuleOf(data, variables) }
    if (type === "SRV") {
      const [service = "", protocol = "", ...labels] = host.split(".")
      return {
        groupId: recordGroup,
        type,
        service,
        protocol,
        name: labels.length === 0 ? "@" : labels.join("."),
        ttl,
        priority: priority ?? 0,
        weight: weight ?? 0,
        port: port ?? 0,
        target: fill(data)
      }
    }
    if (type === "A" || type === "AAAA" || isTarget(type))
      return { ...common, pointsTo: fill(data), ...(priority === undefined ? {} : { priority }) }
    return { ...common, data: fill(data) }
  }

/** Several strings keep their quotes. */
const toTextData = (text: string): string => (formatText(text).startsWith('"') ? formatText(text) : escapeText(text))

/** Policies that a name has once replace an older one, and so does a text with a fixed beginning before its variable. */
const conflictRuleOf = (data: string, variables: DraftOptions["variables"]): Partial<TemplateRecord> => {
  const [policy] = /^v=[A-Za-z0-9]+/.exec(data) ?? []
  if (policy !== undefined)
    return { ...replacesPrefix(policy), ...(/DMARC1/i.test(policy) ? { essential: "OnApply" } : {}) }
  const [fixed = ""] = replaceValues(data, variables).split("%")
  return fixed === "" || fixed === data ? {} : replacesPrefix(fixed)
}

const replacesPrefix = (prefix: string) =>
  ({ txtConflictMatchingMode: "Prefix", txtConflictMatchingPrefix: prefix }) as const

/** The longest values first, so that none is taken for a part of another, and all at once, so that none is in a name. */
const replaceValues = (text: string, variables: DraftOptions["variables"]): string => {
  const named = Object.entries(variables)
    .filter(([, value]) => value !== "")
    .toSorted(([, one], [, other]) => other.length - one.length)
  if (named.length === 0) return text
  const values = new RegExp(named.map(([, value]) => RegExp.escape(value)).join("|"), "g")
  const nameOf = new Map(named.toReversed().map(([name, value]) => [value, name]))
  return text.replace(values, (value) => `%${nameOf.get(value)}%`)
}
