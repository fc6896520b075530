import type { ConnectionState } from "../../src/domain/connection/Connection.ts"

/** What happened in a run. All times are milliseconds since 1970, and all lists are in the order of time. */
export interface WatchRecording {
  /** From then on the connections were watched. */
  readonly beganAt: number
  readonly endedAt: number
  readonly connections: ReadonlyArray<RecordedConnection>
  /** The changes of zones, each at one server; before, every server had the right records. */
  readonly zoneChanges: ReadonlyArray<ZoneChange>
  /** The name servers that stopped or began to answer in time; before, all answered. */
  readonly serverChanges: ReadonlyArray<ServerChange>
  /** The processes of the service that were killed or became ready; before, all were ready. */
  readonly processChanges: ReadonlyArray<ProcessChange>
  readonly processes: number
}

/** An active connection, alone in its zone. */
export interface RecordedConnection {
  readonly id: string
  readonly zone: string
  readonly servers: ReadonlyArray<string>
  /** Its timeline since its creation. */
  readonly transitions: ReadonlyArray<TimedTransition>
  /** When a server of the zone was asked something; what follows within a second may be left out. */
  readonly questionedAt: ReadonlyArray<number>
}

export interface TimedTransition {
  readonly from: ConnectionState | undefined
  readonly to: ConnectionState
  readonly at: number
}

interface ZoneChange {
  readonly at: number
  readonly zone: string
  readonly server: string
  /** Whether the server has the desired records from now on. */
  readonly isRight: boolean
}

interface ServerChange {
  readonly at: number
  readonly server: string
  readonly isAnswering: boolean
}

interface ProcessChange {
  readonly at: number
  readonly process: number
  readonly isReady: boolean
}
