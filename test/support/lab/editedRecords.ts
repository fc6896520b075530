import { isIPv4, isIPv6 } from "node:net"
import type { EditorField, EditorForm, ZoneEditorQuirks } from "./zoneEditorQuirks.ts"
import type { ZoneEditorWords } from "./zoneEditorWords.ts"

/** A record as a person has entered it; what is off is shown and not served. */
export interface EditedRecord {
  readonly id: number
  readonly form: EditorForm
  readonly fields: FieldTexts
  readonly isOff: boolean
}

/** What was typed into the fields of a form. */
export type FieldTexts = { readonly [_ in EditorField]?: string }

/** The zone that is edited, and what a person may see of it. */
export interface EditedZone {
  readonly quirks: ZoneEditorQuirks
  readonly zone: string
  readonly records: ReadonlyArray<EditedRecord>
  readonly subdomains: ReadonlyArray<string>
  readonly mailSetting: string
}

/** The form for a type, which has a name in DNS and one on the page. */
export const formOf = ({ forms, name }: ZoneEditorQuirks, type: string): EditorForm => {
  const form = forms.find((each) => each.name === type) ?? forms.find((each) => each.type === type)
  if (form === undefined) throw new Error(`${name} has no form for ${type}`)
  return form
}

/** Parses an initial record: `host ttl type value`. */
export const parseRecord = (quirks: ZoneEditorQuirks, line: string, id: number): EditedRecord => {
  const [host = "", ttl = "", type = "", ...words] = line.split(" ")
  const form = formOf(quirks, type)
  const priority = type === "MX" ? words.shift() : undefined
  const apex = quirks.apex === "@" ? "@" : ""
  const place = host === "@" ? apex : host
  const label = Object.entries(quirks.ttls).find(([, seconds]) => seconds === Number(ttl))?.[0]
  return {
    id,
    form,
    isOff: false,
    fields: {
      ...(form.fields.some(([field]) => field === "domain") ? { domain: host === "@" ? "" : host } : { host: place }),
      value: words.join(" ").replaceAll('"', ""),
      ...(priority === undefined ? {} : { priority }),
      ttl: label ?? "",
      seconds: ttl
    }
  }
}

/** The host of a record, relative to the zone as the page appends it; empty for the zone itself. */
export const hostOf = ({ quirks }: EditedZone, { fields, form }: Omit<EditedRecord, "id">): string => {
  const typed = (fields.domain ?? fields.host ?? "").replace(/\.$/, "").toLowerCase()
  const host = typed === "@" && quirks.apex !== "empty" ? "" : typed
  return form.type === "SRV" && fields.service !== undefined
    ? [fields.service, fields.protocol, ...(host === "" ? [] : [host])].join(".")
    : host
}

const ownerOf = (edited: EditedZone, record: Omit<EditedRecord, "id">): string =>
  [hostOf(edited, record), edited.zone].filter((part) => part !== "").join(".")

type EditorFault = keyof ZoneEditorWords["errors"]

/** What the page refuses about a record; `undefined` if it takes it. */
export const findEditorFault = (edited: EditedZone, record: EditedRecord, isAccepted: boolean) => {
  const { quirks } = edited
  const { fields, form } = record
  const others = neighboursOf(edited, record)
  const isApex = hostOf(edited, record) === ""
  const isCname = form.type === "CNAME"
  const checks: ReadonlyArray<readonly [EditorFault, boolean]> = [
    ["host", !isHostValid(edited, record)],
    ["apexCname", isCname && isApex && quirks.apexCname === "refused"],
    ["subdomain", isCname && quirks.needsSubdomain && !edited.subdomains.includes(hostOf(edited, record))],
    ["number", form.fields.some(([field]) => numeric.includes(field) && !/^\d{1,5}$/.test(fields[field] ?? ""))],
    ["number", ttlOf(quirks, record) === undefined],
    ["text", (fields.value ?? "") === "" || !/^[\x20-\x7e]*$/.test(fields.value ?? "")],
    [
      "address",
      (form.type === "A" && !isIPv4(fields.value ?? "")) || (form.type === "AAAA" && !isIPv6(fields.value ?? ""))
    ],
    ["target", hasTarget(record) && !isTargetValid(fields.value ?? "")],
    [
      "targetDot",
      form.type === "CNAME" && quirks.targetWithoutDot === "refused" && fields.value?.endsWith(".") !== true
    ],
    ["quotes", form.type === "TXT" && quirks.quotes === "refused" && fields.value?.includes('"') === true],
    [
      "duplicate",
      others.some((other) => other.form.type === form.type && contentOf(edited, other) === contentOf(edited, record))
    ],
    ["conflict", !(isApex && quirks.apexCname === "accepted") && isConflict(quirks, record, others)],
    ["accept", isCname && quirks.cnameBesideOthers === "replaces" && !isAccepted]
  ]
  const fault = checks.find(([, isFaulty]) => isFaulty)?.[0]
  return fault && quirks.words.errors[fault].replace("{host}", hostOf(edited, record) || edited.zone)
}

const numeric: ReadonlyArray<EditorField> = ["priority", "weight", "port"]

/** The other records at the host of a record that are not off. */
const neighboursOf = (edited: EditedZone, record: EditedRecord) =>
  edited.records.filter(
    (other) => other.id !== record.id && !other.isOff && ownerOf(edited, other) === ownerOf(edited, record)
  )

const isConflict = (quirks: ZoneEditorQuirks, { form }: EditedRecord, others: ReadonlyArray<EditedRecord>): boolean =>
  form.type === "CNAME"
    ? others.length > 0 && quirks.cnameBesideOthers === "refused"
    : others.some((other) => other.form.type === "CNAME")

/** The records after a person has saved one: a CNAME switches the others at its host off where the provider does so. */
export const withEditedRecord = (edited: EditedZone, record: EditedRecord): ReadonlyArray<EditedRecord> => {
  const replaced =
    record.form.type === "CNAME" && edited.quirks.cnameBesideOthers === "replaces" ? neighboursOf(edited, record) : []
  const others = edited.records.map((other) => (replaced.includes(other) ? { ...other, isOff: true } : other))
  return others.some(({ id }) => id === record.id)
    ? others.map((other) => (other.id === record.id ? record : other))
    : [...others, record]
}

const isHostValid = (edited: EditedZone, record: EditedRecord): boolean => {
  const { form, fields } = record
  const host = hostOf(edited, record)
  const isMissing = fields.host === "" && edited.quirks.apex === "@" && form.fields.some(([field]) => field === "host")
  return !isMissing && (host === "" || /^(\*|[\w-]{1,63})(\.[\w-]{1,63})*$/.test(host))
}

const hasTarget = ({ form }: EditedRecord): boolean => ["CNAME", "MX", "SRV"].includes(form.type)

const isTargetValid = (target: string): boolean => target === "@" || /^([\w-]{1,63})(\.[\w-]{1,63})*\.?$/.test(target)

const ttlOf = ({ ttls }: ZoneEditorQuirks, { fields, form }: EditedRecord): number | undefined => {
  const chosen = ttls[fields.ttl ?? ""] ?? Object.values(ttls)[0]
  if (chosen !== 0 || !form.fields.some(([field]) => field === "seconds")) return chosen
  return /^\d{2,6}$/.test(fields.seconds ?? "") ? Number(fields.seconds) : undefined
}

/** The data of the record as name servers have it. */
const contentOf = (edited: EditedZone, record: EditedRecord): string => {
  const { priority, port, value = "", weight } = record.fields
  if (record.form.type === "TXT") return quoteText(edited.quirks.quotes === "kept" ? value : value.replaceAll('"', ""))
  const target = hasTarget(record) ? toTarget(edited, value) : value
  const numbers = { MX: [priority], SRV: [priority, weight, port] }[record.form.type] ?? []
  return [...numbers, target].join(" ")
}

const toTarget = ({ quirks, zone }: EditedZone, value: string): string => {
  if (value === "@") return `${zone}.`
  if (value.endsWith(".")) return value
  return quirks.targetWithoutDot === "zone_appended" ? `${value}.${zone}.` : `${value}.`
}

/** A text in strings of at most 255 characters. */
const quoteText = (text: string): string =>
  (text.match(/.{1,255}/gs) ?? [""]).map((part) => `"${part.replaceAll(/["\\]/g, "\\$&")}"`).join(" ")

/** The lines of the zone that the name servers have to answer with: `name ttl type data`. */
export const servedLines = (edited: EditedZone): ReadonlyArray<string> => {
  const { mailSetting, quirks, records, zone } = edited
  const servesOwnMx = mailSetting === (Object.keys(quirks.mailSettings).at(-1) ?? "")
  const ofMail = (quirks.mailSettings[mailSetting] ?? []).map((line) => parseRecord(quirks, line, 0))
  const active = [...records.filter(({ form, isOff }) => !isOff && (servesOwnMx || form.type !== "MX")), ...ofMail]
  // PowerDNS serves no CNAME beside the SOA of a zone; of what it overrides, nothing is served either.
  const hasApexCname = active.some((record) => record.form.type === "CNAME" && hostOf(edited, record) === "")
  return active
    .filter((record) => !hasApexCname || ownerOf(edited, record) !== zone)
    .map((record) =>
      [`${ownerOf(edited, record)}.`, ttlOf(quirks, record), record.form.type, contentOf(edited, record)].join(" ")
    )
}
