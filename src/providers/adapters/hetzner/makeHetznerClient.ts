import { Array, Duration, Effect, Redacted } from "effect"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { makeCopyFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { makeTypeCheck } from "../../writing/requireStorable.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import { excludeMembers, type RecordSet, type SetMember } from "../../writing/RecordSet.ts"
import { escapeBySign, unescapeScripts } from "../../writing/recordContent.ts"
import { runInOrder } from "../../writing/runInOrder.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import { type HetznerRecord, type HetznerSet, type HetznerZone, makeHetznerApi, type SetAction } from "./HetznerApi.ts"

/** Makes a client for the DNS of Hetzner Cloud, where each change of a set is accepted at once and made later. */
export const makeHetznerClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const token = yield* readToken(request.credential, { provider: "Hetzner Cloud" })
    const api = makeHetznerApi(http, token, timeouts)
    const explain = (error: ProviderError) => toOpenFailure(explainRefusal(error, token))
    const zone = yield* Effect.mapError(api.findZone(request.zone), explain)
    if (zone.mode !== "primary") return yield* makeCopyFailure(zone.mode)
    yield* checkDelegation(zone.authoritative_nameservers.assigned, request)
    const listSets = api.makeSetLister(zone)
    const write = (change: SetChange<HetznerRecordSet>) => {
      const { actions, undo } = planActions(change)
      const run = (action: SetAction) => Effect.mapError(api.act(zone, change, action), toRecordAbsent)
      return runInOrder(actions.map(run), undo && run(undo))
    }
    return makeRecordSetZoneClient<HetznerRecordSet>(
      {
        limits,
        // An action goes on when its answer is lost, and shows in the list when it has ended.
        visibleWithin: Duration.seconds(30),
        // All types of the API except SOA.
        checkRecord: makeTypeCheck("Hetzner", "A AAAA CAA CNAME DS HINFO HTTPS MX NS PTR RP SRV SVCB TLSA TXT"),
        readSets: (names) => Effect.map(listSets(names), (sets) => sets.map(toRecordSet(zone))),
        writeSets: Effect.forEach(write, { discard: true })
      },
      request
    )
  })
})

/** All tokens of Hetzner Cloud have 64 characters. */
const explainRefusal = (error: ProviderError, token: Redacted.Redacted): ProviderError => {
  if (error.kind !== "credential_refused" || Redacted.value(token).length === 64) return error
  const hint = "a token of Hetzner Cloud has 64 characters, unlike one of the former DNS Console"
  return new ProviderError({ ...error, detail: `${error.detail}; ${hint}` })
}

interface HetznerRecordSet extends RecordSet {
  readonly records: ReadonlyArray<SetMember & { readonly stored: HetznerRecord }>
}

/** Hetzner keeps the name servers of the zone itself, and what somebody has protected. */
const toRecordSet =
  ({ name: zone, ttl: zoneTtl }: HetznerZone) =>
  ({ name, protection, records, ttl, type }: HetznerSet): HetznerRecordSet => ({
    name: name === "@" ? zone : `${name}.${zone}`,
    type,
    ttl: ttl ?? zoneTtl,
    automaticTtl: ttl === null,
    records: records.map((stored) => ({ stored, content: toAbsoluteContent(type, stored.value, zone) })),
    ...(protection.change || (name === "@" && type === "NS") ? { locked: "fixed" } : {})
  })

const toAbsoluteContent = (type: string, value: string, zone: string): string =>
  endsInTarget.has(type)
    ? value.replace(/\S*[^\s.]$/, (target) => `${target === "@" ? "" : `${target}.`}${zone}.`)
    : value

const endsInTarget: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "PTR", "SRV"])

/**
 * The actions of a change, and what undoes the first. They name values that come or go, so that others stay; an exchange
 * writes the whole set, or it would be missing in between. The TTL comes first: until the records follow, the change is
 * not made, and can be made again.
 */
const planActions = ({ after, before }: SetChange<HetznerRecordSet>) => {
  const stored = before?.records ?? []
  const members = after?.records ?? []
  const added = excludeMembers(members, stored)
  const removed = excludeMembers(stored, members).map((member) => ({ value: member.stored.value }))
  const [storedTtl, ttl] = [before && toStoredTtl(before), after && toStoredTtl(after)]
  const recordActions: ReadonlyArray<SetAction> =
    added.length > 0 && removed.length > 0 && members.length <= maxRecords
      ? [{ action: "set_records", body: { records: members.map(toRecord) } }]
      : [
          ...inParts("add_records", added.map(toRecord), { ttl: ttl ?? undefined }),
          ...inParts("remove_records", removed)
        ]
  if (storedTtl === undefined || ttl === undefined || ttl === storedTtl) return { actions: recordActions }
  return { actions: [changeTtl(ttl), ...recordActions], undo: changeTtl(storedTtl) }
}

const changeTtl = (ttl: number | null): SetAction => ({ action: "change_ttl", body: { ttl } })

/** Without a TTL of its own, a set has that of the zone. */
const toStoredTtl = ({ automaticTtl, ttl }: Pick<RecordSet, "automaticTtl" | "ttl">): number | null =>
  automaticTtl === true ? null : ttl

/** An action takes as many. */
const maxRecords = 50

const inParts = (action: SetAction["action"], records: ReadonlyArray<HetznerRecord>, more: object = {}) =>
  Array.chunksOf(records, maxRecords).map((part): SetAction => ({ action, body: { ...more, records: part } }))

/** A record that stays keeps its comment; a text has the form of hcloud-go, `zoneutil.FormatTXTRecord`. */
const toRecord = (member: SetMember | HetznerRecordSet["records"][number]): HetznerRecord =>
  "stored" in member ? member.stored : { value: unescapeScripts(escapeBySign(member.content)) }
