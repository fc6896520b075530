import type { GuideHint, ManualField } from "../../domain/plan/ManualGuide.ts"

export type TextByType = string | Readonly<Partial<Record<string, string>>>

export const textOfType = (texts: TextByType | undefined, type: string): string | undefined =>
  typeof texts === "string" ? texts : (texts?.[type] ?? texts?.["other"])

/** A field for an SRV record and its label, in the order of the page. */
export type SrvField = readonly [field: Exclude<ManualField["field"], "type" | "value" | "ttl">, label?: string]

/** A provider's page for records, as far as known, never assumed. `%domain%` in `dnsPageUrl` and `path` is the zone. */
export interface ProviderGuide {
  /** The year, or the month, of the oldest text that it is from; absent where the texts have no date. */
  readonly checked?: string
  readonly loginUrl?: string
  readonly dnsPageUrl?: string
  readonly helpUrl?: string
  readonly path?: ReadonlyArray<string>
  readonly addButton?: string
  /** The last button of the page, without which nothing that was saved counts. */
  readonly publishButton?: string
  readonly hostLabel?: TextByType
  /** The types whose form has no field for the host: their records are always at the apex. */
  readonly withoutHost?: ReadonlyArray<string>
  /** The content of the field for the host at the apex; an empty text stands for an empty field. */
  readonly apex?: TextByType
  /** The page adds the zone to the host, so that a full name would have it twice. */
  readonly appendsZone?: true
  readonly valueLabel?: TextByType
  /** Whether a name in the value must end in a dot. */
  readonly targetDot?: boolean
  readonly priorityLabel?: string
  readonly srvFields?: ReadonlyArray<SrvField>
  /** Whether service and protocol of an SRV record begin with their underscore. */
  readonly srvUnderscores?: boolean
  /** Present where the page demands a TTL: any number, or one of a list, in seconds by the texts of the list. */
  readonly ttl?: "number" | Readonly<Record<string, number>>
  /** How long the provider says that it takes at most until its servers answer with a change. */
  readonly servedWithinMinutes?: number
  /** The type that the page takes at the apex for an alias; `none`: it takes none, or the mail of the domain would suffer. */
  readonly apexType?: "CNAME" | "ALIAS" | "none"
  readonly hints?: ReadonlyArray<GuideHint>
  /** The hints about records of a type that are added or changed. */
  readonly typeHints?: Readonly<Partial<Record<string, GuideHint>>>
}
