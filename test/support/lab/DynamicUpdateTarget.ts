import { Effect } from "effect"
import type { RRsetChange } from "./RRsetChange.ts"
import { run } from "./Server.ts"
import type { LabTsigKey } from "./TsigKey.ts"

/** A server whose zones can be written while it runs. */
export interface DynamicUpdateTarget {
  /** Applies the steps in order, each atomically. A refusal is a defect. */
  readonly update: (zone: string, steps: ReadonlyArray<ReadonlyArray<RRsetChange>>) => Effect.Effect<void>
}

/** Sends dynamic updates (RFC 2136) to a server: one message for each step, signed with the key. */
export const dynamicUpdateTarget = (
  address: string,
  key: LabTsigKey
): DynamicUpdateTarget & { readonly key: LabTsigKey } => ({
  key,
  update: (zone, steps) => {
    const messages = steps.flatMap((sets) => [...sets.flatMap(updatesFor), "send"])
    const signature = `${key.algorithm}:${key.name}:${key.secret}`
    const script = `printf '%s\\n' "$@" | nsupdate -y "$0"`
    return Effect.asVoid(run("sh", "-c", script, signature, `server ${address}`, `zone ${zone}`, ...messages))
  }
})

const updatesFor = (set: RRsetChange): ReadonlyArray<string> => [
  `del ${set.name} ${set.type}`,
  ...(set.changetype === "DELETE"
    ? []
    : set.records.map(({ content }) => `add ${set.name} ${set.ttl} ${set.type} ${content}`))
]
