import type { LabRecord } from "../../../support/lab/packet.ts"

/** A resource record set as Route 53 stores it. */
export interface StoredSet {
  /** In lower case, with a final dot and without escapes: `*.example.com.`; characters stand for bytes. */
  readonly name: string
  readonly type: string
  /** Seconds; absent in an alias. */
  readonly ttl?: number
  /** As they were written; none in an alias. */
  readonly values: ReadonlyArray<string>
  readonly alias?: { readonly zoneId: string; readonly target: string; readonly evaluatesHealth: string }
  /** Of a set that shares its name and type with others. */
  readonly identifier?: string
  readonly weight?: string
  /** Route 53 answers with the set only while this check succeeds. */
  readonly healthCheckId?: string
}

export interface StoredHostedZone {
  readonly name: string
  readonly isPrivate: boolean
  readonly nameServers: ReadonlyArray<string>
  readonly sets: ReadonlyArray<StoredSet>
  /** The service of AWS that keeps the zone, if one does. */
  readonly linkedService?: string
}

/** The hosted zones of one account, by their ids. */
export interface Route53State {
  readonly zones: Readonly<Record<string, StoredHostedZone>>
}

export const awsNameServers = ["ns-831.awsdns-39.net", "ns-422.awsdns-52.com", "ns-1283.awsdns-32.org"]

/** A public zone with the SOA and the NS records that Route 53 gives it, and these sets. */
export const hostedZone = (
  name: string,
  sets: ReadonlyArray<StoredSet> = [],
  nameServers: ReadonlyArray<string> = awsNameServers
): StoredHostedZone => ({
  name: `${name}.`,
  isPrivate: false,
  nameServers,
  sets: [
    { name: `${name}.`, type: "NS", ttl: 300, values: nameServers.map((server) => `${server}.`) },
    {
      name: `${name}.`,
      type: "SOA",
      ttl: 900,
      values: [`${nameServers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400`]
    },
    ...sets
  ]
})

/** The zone with the sets of these records replaced; data are in the form of zone files, with decimal escapes. */
export const withLabRecords = (zone: StoredHostedZone, records: ReadonlyArray<LabRecord>): StoredHostedZone => {
  const byKey = Map.groupBy(records, ({ name, type }) => `${name.toLowerCase()} ${type}`)
  const replaced = zone.sets.filter(({ name, type }) => !byKey.has(`${name} ${type}`))
  const added = [...byKey.values()].flatMap(([first, ...rest]) =>
    first === undefined
      ? []
      : {
          name: first.name.toLowerCase(),
          type: first.type,
          ttl: first.ttl,
          values: [...new Set([first, ...rest].map(({ data }) => toOctal(data)))]
        }
  )
  return { ...zone, sets: [...replaced, ...added] }
}

/** The developer guide, "TXT record type": codes are octal, also for every byte beyond ASCII. */
const toOctal = (data: string): string =>
  [...data.matchAll(/\\(\d{3})|\\\D|[^\\]/gsu)]
    .map(([text, code]) =>
      code !== undefined
        ? octal(Number(code))
        : /^[ -~]+$/.test(text)
          ? text
          : [...Buffer.from(text)].map(octal).join("")
    )
    .join("")

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`

/** A name as lists show it: everything but letters, digits, hyphens and underscores is octal ("DNS domain name format"). */
export const shownName = (name: string): string =>
  name.replace(/[^a-z0-9_.-]/g, (character) => octal(character.charCodeAt(0)))

/** A name of a request, which may have a final dot and escapes. */
export const storedName = (name: string): string =>
  `${name.replace(/\.$/, "")}.`
    .replace(/\\([0-3][0-7]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)))
    .toLowerCase()

/** The order of lists: by labels from the right, each name with its final dot, then by type. */
export const listOrder = ({ identifier = "", name, type }: Pick<StoredSet, "name" | "type" | "identifier">): string =>
  [`${name.split(".").slice(0, -1).toReversed().map(shownName).join(".")}.`, type, identifier].join("\u0000")

/** All records but the SOA, one a line. */
export const dumpZone = ({ sets }: StoredHostedZone): ReadonlyArray<string> =>
  sets
    .filter(({ type }) => type !== "SOA")
    .flatMap(({ alias, identifier, name, ttl, type, values }) =>
      (alias === undefined ? values : [JSON.stringify(alias)]).map((value) =>
        [name, ttl ?? "-", type, ...(identifier === undefined ? [] : [identifier]), value].join(" ")
      )
    )
    .toSorted()
