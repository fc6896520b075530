import type { ConnectionState } from "../../domain/connection/Connection.ts"
import type { LifecycleEvent } from "./LifecycleEvent.ts"

/** The states to which a connection returns whose new intent is given up. */
const returnStates = ["verifying", "active", "degraded"] as const satisfies ReadonlyArray<ConnectionState>

/** The states to which each event may lead from each state. `bun run docs` draws the lifecycle diagram from it. */
export const transitionTable: { readonly [Event in LifecycleEvent["_tag"]]: NextStates } = {
  Discovered: {
    requested: ["awaiting_authorization", "awaiting_manual", "verifying"],
    awaiting_authorization: ["awaiting_authorization", "awaiting_manual", "verifying"],
    awaiting_manual: ["awaiting_manual"],
    degraded: ["awaiting_authorization", "degraded"]
  },
  DiscoveryFailed: {
    requested: ["failed"],
    awaiting_authorization: ["awaiting_authorization"],
    awaiting_manual: ["awaiting_manual"],
    degraded: ["degraded"]
  },
  ManualChosen: { awaiting_authorization: ["awaiting_manual", "disconnecting"] },
  ManualAbandoned: { awaiting_manual: ["awaiting_authorization"], verifying: ["awaiting_authorization"] },
  ProviderSelected: { awaiting_authorization: ["requested", "awaiting_authorization"] },
  AuthorizationOpened: { awaiting_authorization: ["authorizing"] },
  AuthorizationClosed: { authorizing: ["awaiting_authorization"] },
  Authorized: { awaiting_authorization: ["authorized"], authorizing: ["authorized"] },
  Planned: { authorized: ["planned", "applying", "verifying", "disconnecting"] },
  Approved: { planned: ["applying", "disconnecting"] },
  PutBackRequested: { planned: ["authorized"] },
  PlanInvalidated: { planned: ["authorized"], applying: ["authorized"], disconnecting: ["authorized"] },
  WriteDelayed: { applying: ["applying"], disconnecting: ["disconnecting"] },
  Applied: { applying: ["verifying"] },
  Verified: {
    awaiting_manual: ["awaiting_manual", "verifying", "expired", "failed"],
    verifying: ["verifying", "active", "failed"],
    active: ["active", "degraded"],
    degraded: ["degraded", "active"],
    awaiting_authorization: ["awaiting_authorization", "active"],
    failed: ["failed"]
  },
  Confirmed: { active: ["active"] },
  ControlLost: {
    awaiting_authorization: ["awaiting_authorization", "degraded"],
    authorizing: ["authorizing", "degraded"],
    authorized: ["authorized"],
    planned: ["planned", "degraded"],
    applying: ["applying"],
    awaiting_manual: ["awaiting_manual", "degraded"],
    verifying: ["verifying"],
    active: ["degraded"],
    degraded: ["degraded"],
    failed: ["failed", "degraded"]
  },
  RecheckRequested: {
    awaiting_authorization: ["awaiting_authorization"],
    awaiting_manual: ["awaiting_manual"],
    verifying: ["verifying"],
    active: ["active"],
    degraded: ["degraded"],
    failed: ["failed"],
    disconnecting: ["disconnecting"]
  },
  Failed: {
    authorizing: ["failed"],
    authorized: ["failed"],
    applying: ["failed"],
    verifying: ["failed"],
    disconnecting: ["failed"]
  },
  Retried: {
    failed: [
      "requested",
      "awaiting_authorization",
      "authorizing",
      "authorized",
      "applying",
      "awaiting_manual",
      "verifying",
      "disconnecting"
    ],
    degraded: ["degraded"]
  },
  IntentChanged: {
    requested: ["requested", "awaiting_authorization", "authorized"],
    awaiting_authorization: ["requested", "awaiting_authorization", "authorized"],
    planned: ["requested", "awaiting_authorization", "authorized"],
    awaiting_manual: ["requested", "awaiting_authorization", "authorized"],
    verifying: ["awaiting_authorization", "authorized"],
    active: ["awaiting_authorization", "authorized"],
    degraded: ["awaiting_authorization", "authorized"],
    failed: ["requested", "awaiting_authorization", "authorized"]
  },
  DisconnectRequested: {
    awaiting_authorization: ["awaiting_authorization", "disconnecting"],
    authorizing: ["awaiting_authorization", "disconnecting"],
    planned: ["authorized", "awaiting_authorization", "disconnecting"],
    awaiting_manual: ["awaiting_authorization", "disconnecting"],
    verifying: ["authorized", "awaiting_authorization", "disconnecting"],
    active: ["authorized", "awaiting_authorization", "disconnecting"],
    degraded: ["authorized", "awaiting_authorization", "disconnecting"],
    failed: ["authorized", "awaiting_authorization", "disconnecting"]
  },
  RecordsInherited: { disconnecting: ["awaiting_authorization"] },
  RestoreAwaited: { disconnecting: ["disconnecting"] },
  Restored: { disconnecting: ["disconnected"] },
  Expired: { awaiting_authorization: ["expired", ...returnStates], planned: ["expired", ...returnStates] },
  Canceled: {
    requested: ["canceled", ...returnStates],
    awaiting_authorization: ["canceled", ...returnStates],
    authorizing: ["canceled", ...returnStates],
    planned: ["canceled", ...returnStates],
    awaiting_manual: ["canceled", ...returnStates],
    failed: ["canceled", ...returnStates]
  }
}

type NextStates = { readonly [From in ConnectionState]?: ReadonlyArray<ConnectionState> }

/** Whether a discovery in this state only refreshes the findings about the domain: if it fails, the state stays. */
export const canRediscover = (state: ConnectionState): boolean =>
  transitionTable.DiscoveryFailed[state]?.includes(state) === true
