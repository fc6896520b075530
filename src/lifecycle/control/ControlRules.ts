import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Connection, ConnectionId } from "../../domain/connection/Connection.ts"
import { type ConnectionRecord, servedNamesOf } from "../../domain/connection/ConnectionRecord.ts"
import { DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import { makeConcernedNames, makeExactNames } from "../../domain/names/NameSet.ts"
import { canAuthorizeService, type Provider } from "../../domain/provider/Provider.ts"
import type { VerificationVerdict } from "../../domain/plan/RecordObservation.ts"
import { TakeoverRight } from "../../domain/connection/TakeoverRight.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ApplicationStore } from "../../persistence/stores/access/ApplicationStore.ts"
import { HostHolderStore } from "../../persistence/stores/connections/HostHolderStore.ts"
import {
  type JournalEntry,
  JournalStore,
  possiblyWrittenStatuses
} from "../../persistence/stores/phases/JournalStore.ts"
import { hostsOf as hostsOfChanges } from "../../planning/changes/ChangeStatus.ts"
import { randomBase62 } from "../../security/secrets.ts"
import type { PlanResult } from "../../planning/buildPlan.ts"
import { listEnterableHosts, type ReadZone } from "../../planning/verification/enteredHosts.ts"
import type { PlannedControl, VerifiedControl } from "../state/LifecycleEvent.ts"
import { challengedAtOf, hasBeenActive, hasExpiredPlan, withoutControl } from "../state/controlState.ts"
import { hasProvenControl, hostsOf, listUnprovenHosts, writesEveryHost } from "../state/provenHosts.ts"
import { HostTakeover } from "./HostTakeover.ts"

/** The challenge that a plan may have to carry, and the rule that decides whether it must. */
export interface ChallengeContext {
  /** The challenge that a plan carries where it must. */
  readonly challenge: string
  /** The connections of other tenants that hold hosts of the domain. */
  readonly holders: ReadonlyArray<ConnectionId>
  /** Decides from a plan without the challenge and its zone; a plan that must carry the challenge is made again. */
  readonly judge: (
    plan: Pick<PlanResult, "changes" | "digest" | "effectiveIntent">,
    read: ReadZone & { readonly provider?: Provider }
  ) => PlannedControl
}

/** The proof of control that counts at a check, and whether the check has found it; empty without one. */
type Proof = Pick<VerifiedControl, "isNewProof" | "provenBy" | "provenHosts">

/** The findings of a verification that can prove control. */
interface ControlEvidence {
  /** Whether the servers show all required records, as far as the state of the connection requires. */
  readonly isServed: boolean
  /** Whether the authoritative servers show the challenge; unknown where none is requested. */
  readonly challenge: VerificationVerdict
  /** The hosts whose records every authoritative server shows exactly as they were planned, and these servers. */
  readonly entered: { readonly hosts: ReadonlyArray<string>; readonly servers: ReadonlyArray<string> }
}

/** Decides when control is proven, and when needed: for earlier records, for others' hosts, and after a loss. */
export class ControlRules extends Context.Tag("lifecycle/ControlRules")<
  ControlRules,
  {
    /** Prepares the decision on a plan; none if control is proven, except for hosts that another tenant requests. */
    readonly prepare: (current: ConnectionRecord) => Effect.Effect<ChallengeContext | undefined, StoreUnavailable>
    /** The connections of other tenants that hold hosts of a new intent; none where nobody has to prove control. */
    readonly listContested: (current: ConnectionRecord) => Effect.Effect<ReadonlyArray<ConnectionId>, StoreUnavailable>
    /** Decides on a verification. A connection that may become active takes its hosts; their holders are notified. */
    readonly check: (
      current: ConnectionRecord,
      evidence: ControlEvidence
    ) => Effect.Effect<VerifiedControl, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ControlRules,
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const hosts = yield* HostHolderStore
      const journal = yield* JournalStore
      const takeover = yield* HostTakeover

      /** Drops a proof by entered records if the application does not accept it, or no longer does. */
      const withAcceptedProof = (current: ConnectionRecord): Effect.Effect<ConnectionRecord, StoreUnavailable> =>
        current.progress.control?.provenBy === "entered_records"
          ? Effect.map(modeOf(current.connection), (mode) => (mode === "challenge" ? withoutControl(current) : current))
          : Effect.succeed(current)

      /** The hosts at which runs of a connection with a credential wrote, or may have. */
      const listWrittenHosts = (id: ConnectionId) =>
        Effect.map(journal.findByConnection(id), (entries) => [
          ...hostsOfChanges(entries.filter(mayHaveWritten).map(({ change }) => change))
        ])

      const modeOf = ({ applicationId }: Connection) =>
        Effect.map(applications.findSettings(applicationId), ({ controlProof }) => controlProof)

      /** Whether the connection needs a proof that it does not have, before `active`. */
      const isProofRequired = Effect.fnUntraced(function* (current: ConnectionRecord) {
        const { connection, progress } = current
        if (progress.control?.isLost === true) return true
        if (wasActiveBeforeControl(current)) return false
        const mode = yield* modeOf(connection)
        if (mode !== "when_contested") return mode !== "off"
        if ((yield* listHoldersInDomain(connection)).length > 0) return true
        return yield* isProvenByAnother(connection)
      })

      /** The connections of other tenants that hold hosts at or below the domain, or a wildcard above it. */
      const listHoldersInDomain = (connection: Connection) => {
        const domain = DomainName.make(connection.effectiveIntent.domain)
        return hosts.listHolders(connection, makeConcernedNames([domain, toFqdn("*", domain)]))
      }

      /** Whether another tenant has proven control of a host, or of a wildcard above one: it takes them once it is served. */
      const isProvenByAnother = (connection: Connection) =>
        takeover.isRefused(connection, makeConcernedNames(plannedNamesOf(connection)).at, TakeoverRight.Nothing())

      /** The connections of other tenants that hold hosts of a connection, or of its new intent. */
      const listHoldersOfHosts = (connection: Connection) =>
        hosts.listHolders(connection, makeExactNames(plannedNamesOf(connection)))

      /** Whether another tenant has ever asked for hosts that the tenant of the connection does not hold. */
      const isContested = Effect.fnUntraced(function* ({ connection }: ConnectionRecord) {
        const others = yield* Effect.filter(plannedNamesOf(connection), (name) =>
          Effect.map(hosts.findHolding(connection, makeExactNames([name])), (holding) => holding !== "this_tenant")
        )
        return others.length > 0 && (yield* hosts.isRequestedByAnother(connection, others))
      })

      /**
       * Whether the records have been missing, and another tenant waits for them: the domain may have another owner by now,
       * who enters them for that tenant.
       */
      const isReturnContested = ({ connection, progress: { control } }: ConnectionRecord) =>
        (control?.isInterrupted ?? connection.state === "degraded") && control !== undefined
          ? takeover.isAwaitedByAnother(connection, makeConcernedNames(plannedNamesOf(connection)).at)
          : Effect.succeed(false)

      /**
       * Whether entering records may prove anything: not if another tenant of the application has ever asked for one of
       * the hosts, because its customer may enter the same records.
       */
      const canEnter = Effect.fnUntraced(function* ({ connection }: ConnectionRecord) {
        if ((yield* modeOf(connection)) === "challenge") return false
        return !(yield* hosts.isRequestedByAnother(connection, plannedNamesOf(connection)))
      })

      /** Whether each unproven host was entered as planned, without a challenge. Unasked servers may have had them. */
      const isEnteredForThis = Effect.fnUntraced(function* (current: ConnectionRecord, { entered }: ControlEvidence) {
        const { connection, progress } = current
        const { control } = progress
        if (control === undefined || control.isAwaited || control.challenge !== undefined) return false
        // A plan that had expired when the setup began says nothing about the zone at that time.
        if (connection.plan === undefined || hasExpiredPlan(connection, progress.enteredAt)) return false
        const { plan, servers = [] } = control.enterable ?? {}
        const isOtherServers = new Set(servers).symmetricDifference(new Set(entered.servers)).size > 0
        if (plan !== connection.plan.digest || isOtherServers) return false
        return listUnprovenHosts(current).every((host) => entered.hosts.includes(host)) && (yield* canEnter(current))
      })

      const findProof = Effect.fnUntraced(function* (
        current: ConnectionRecord,
        evidence: ControlEvidence
      ): Effect.fn.Return<Proof, StoreUnavailable> {
        const { connection, progress } = current
        const { control } = progress
        const isPending = connection.pendingIntent !== undefined
        const isEntered = evidence.isServed && connection.state === "awaiting_manual"
        // A challenge for a new intent counts once everything else of that is entered.
        if (evidence.challenge === "right" && (isEntered || !isPending))
          return { provenBy: "challenge", isNewProof: true }
        const isUnproven = listUnprovenHosts(current).length > 0
        if (isUnproven && isEntered && (yield* isEnteredForThis(current, evidence)))
          return { provenBy: "entered_records", isNewProof: true, provenHosts: hostsOf(connection) }
        if (hasProvenControl(progress) && (isPending || !isUnproven) && !(yield* isReturnContested(current))) {
          const known = { provenBy: control?.provenBy ?? "credential" } as const
          const isPartial = known.provenBy === "entered_records" || control?.isOfEarlierIntent === true
          // What was proven for an earlier intent, or entered, proves nothing for hosts that another tenant asks for too.
          return isPending || !isPartial || !(yield* isContested(current)) ? known : {}
        }
        return {}
      })

      /** From whom a connection may take its hosts. A challenge counts from its request: it may stand since then. */
      const findRight = Effect.fnUntraced(function* ({ connection, progress }: ConnectionRecord, proof: Proof) {
        if ((yield* modeOf(connection)) === "off") return TakeoverRight.Everything()
        if (proof.provenBy === undefined) return TakeoverRight.Nothing()
        const provenAt =
          proof.isNewProof !== true
            ? progress.control?.provenAt
            : proof.provenBy === "challenge"
              ? challengedAtOf(connection, progress)
              : yield* DateTime.now
        return TakeoverRight.OlderProofs({ provenAt: Option.fromNullable(provenAt) })
      })

      /** Whether a new intent needs its own proof: the old one does not cover it, or another tenant has a newer one. */
      const needsNewProof = Effect.fnUntraced(function* (current: ConnectionRecord, proof: Proof) {
        const { connection } = current
        if (connection.pendingIntent === undefined) return false
        const isUnproven = proof.isNewProof !== true && listUnprovenHosts(current).length > 0
        if (isUnproven || (yield* isContested(current))) return yield* isProofRequired(current)
        return yield* takeover.isRefused(connection, plannedNamesOf(connection), yield* findRight(current, proof))
      })

      return {
        prepare: Effect.fnUntraced(function* (found) {
          const current = yield* withAcceptedProof(found)
          const { connection, progress } = current
          const isProven = hasProvenControl(progress)
          const isAwaited = progress.control?.isAwaited === true
          const knownProof = isProven ? { provenBy: progress.control?.provenBy ?? ("credential" as const) } : {}
          if (isProven && !isAwaited && !(yield* needsNewProof(current, knownProof))) return undefined
          const isLost = progress.control?.isLost === true
          if (!isLost && wasActiveBeforeControl(current)) return undefined
          const mode = isLost ? "required" : yield* modeOf(connection)
          const holders = mode === "off" ? [] : yield* listHoldersInDomain(connection)
          const isRefused = mode === "when_contested" && (yield* isProvenByAnother(connection))
          const challenge = progress.control?.challenge ?? makeChallengeValue()
          const mayEnter = yield* canEnter(current)
          // What was written long ago proves nothing against another tenant, nor after the records were missing.
          const isContested = isLost || isRefused || holders.length > 0
          const isStale = isContested || progress.control?.isInterrupted === true
          const mayCount = !isProven && !isStale && (progress.hasWritten || connection.replan !== undefined)
          const writtenHosts = mayCount ? yield* listWrittenHosts(connection.id) : undefined
          return {
            challenge,
            holders,
            judge: (plan, read) => {
              const enterable = mayEnter ? listEnterableHosts(plan.effectiveIntent, read) : []
              const unproven = listUnprovenHosts(current, plan.effectiveIntent)
              const isEnterable = unproven.length > 0 && unproven.every((host) => enterable.includes(host))
              const isAlways = mode === "required" || mode === "challenge"
              const isProvenByWriting = writesEveryHost(plan, current, writtenHosts)
              const hasCredential = read.zone.basis === "provider"
              // By hand, only the challenge proves what cannot be entered.
              const isAskedByHand =
                !isEnterable &&
                ((isProven && mode !== "off") ||
                  (isAlways && !isProven && (progress.isManual || !progress.hasWritten || !isProvenByWriting)))
              // Whoever may give a credential for the changes is asked once they choose to enter them by hand.
              const mayAuthorize = hasCredential || (read.provider !== undefined && canAuthorizeService(read.provider))
              const isAskedNow = isAskedByHand && (progress.isManual || !mayAuthorize || !isProvenByWriting)
              const isAsked =
                mode !== "off" &&
                (isAskedNow ||
                  (hasCredential && !isAwaited
                    ? isContested && !isProvenByWriting
                    : isContested || ((isProven || isAlways) && isAwaited)))
              if (isAsked) return { isAwaited: true, challenge, ...nothingElse }
              if (hasCredential) return { isAwaited: false, writtenHosts }
              return {
                isAwaited: false,
                ...(isAskedByHand ? { isAwaitedByHand: true, challenge } : { isAwaitedByHand: undefined }),
                enterable: isEnterable ? { plan: plan.digest, servers: read.answeredBy ?? [] } : undefined
              }
            }
          }
        }),
        listContested: Effect.fnUntraced(function* ({ connection, progress }) {
          const hasNewIntent = connection.pendingIntent !== undefined || progress.control?.isOfEarlierIntent === true
          if (!hasNewIntent || (yield* modeOf(connection)) === "off") return []
          return yield* listHoldersOfHosts(connection)
        }),
        check: Effect.fnUntraced(function* (found, evidence) {
          // It holds its hosts until another connection takes them.
          if (found.connection.state === "active") return undisputed
          const current = yield* withAcceptedProof(found)
          const { connection, progress } = current
          const proof = yield* findProof(current, evidence)
          const { pendingIntent, state } = connection
          // What was requested stays requested until the records are there, and until a new intent is entered by hand.
          if (!evidence.isServed || (pendingIntent !== undefined && state !== "awaiting_manual")) {
            return { ...proof, isRequired: progress.control?.isAwaited === true, isHolder: false }
          }
          const ask = Effect.map(listHoldersOfHosts(connection), (contested) => ({
            ...proof,
            isRequired: true,
            isHolder: false,
            contested,
            ...toChallenge(current)
          }))
          if (proof.provenBy === undefined && (yield* isProofRequired(current))) return yield* ask
          // One who holds hosts keeps them, while another proof is asked for.
          if (evidence.challenge !== "right" && (yield* needsNewProof(current, proof))) return yield* ask
          const waits = { ...proof, isRequired: false, isHolder: false }
          // Until everything is verified, it takes nothing from anybody.
          if (state === "awaiting_manual") return waits
          const result = yield* takeover.takeHosts(current, yield* findRight(current, proof))
          // A newer proof of another tenant asks for a newer one of this tenant.
          return result === "refused" ? yield* ask : { ...waits, isHolder: result === "taken" }
        })
      }
    })
  )

  static readonly layerWithoutDatabase = Layer.succeed(ControlRules, {
    prepare: () => Effect.succeed(undefined),
    listContested: () => Effect.succeed([]),
    check: () => Effect.succeed(undisputed)
  })
}

/** The full names that the connection asks for: those of its new intent, if one waits to be applied. */
const plannedNamesOf = (connection: Connection) => servedNamesOf(connection.pendingIntent ?? connection)

const mayHaveWritten = ({ direction, status }: JournalEntry): boolean =>
  direction === "connect" && possiblyWrittenStatuses.includes(status)

const nothingElse = { writtenHosts: undefined, enterable: undefined, isAwaitedByHand: undefined }

const undisputed: VerifiedControl = { isRequired: false, isHolder: true }

/** Connections that were active before control was kept stay so: nobody was asked for a proof then. */
const wasActiveBeforeControl = (current: ConnectionRecord): boolean =>
  current.progress.control === undefined && current.connection.pendingIntent === undefined && hasBeenActive(current)

/** The challenge to ask for. After a loss, the plan of a repair brings it, which the customer has to allow. */
const toChallenge = (current: ConnectionRecord): Pick<VerifiedControl, "challenge"> => {
  const { control } = current.progress
  return control?.isLost === true && current.connection.pendingIntent === undefined && hasBeenActive(current)
    ? {}
    : { challenge: control?.challenge ?? makeChallengeValue() }
}

/** 190 random bits, after a prefix that tells the owner of the zone what the record is for. */
const makeChallengeValue = (): string => `domain-connection=${randomBase62(32)}`
