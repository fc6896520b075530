import { Effect } from "effect"
import { Lab } from "../../test/support/lab/Lab.ts"
import { createZones, delegateZones, typicalLines } from "../proofZones.ts"
import { hostileDelegations, nameServerLines, nameServerZone } from "./HostileNameServers.ts"

/** The victim's zones. Each discovery takes the next one, so that nothing of it is cached. */
export const healthyZones = Array.from({ length: 30 }, (_, nth) => `healthy${nth}.com`)

/** A healthy zone of the attackers. */
export const attackerZone = "attacker.com"

/** The victim's zone in which many tenants have connections. */
export const crowdedZone = "crowded.com"

/** Creates the healthy zones, and delegates the hostile ones. */
export const createAttackZones = Effect.gen(function* () {
  const lab = yield* Lab
  yield* delegateZones(lab, hostileDelegations)
  yield* createZones(lab, [nameServerZone], nameServerLines)
  yield* createZones(lab, [...healthyZones, attackerZone, crowdedZone], typicalLines)
})
