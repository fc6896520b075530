/** What a plan needs to know from elsewhere than its zone. */
export interface PlanContext {
  /** What the DNS answered, by `questionKey`: empty where there is nothing; what has no entry is not known. */
  readonly answers: ReadonlyMap<string, ReadonlyArray<string>>
  /** What other living connections want at the hosts of the domain, as far as somebody looked. */
  readonly others: ReadonlyArray<OtherDesiredRecord>
}

/** A record of the effective intent of another connection; `host` is relative to the domain of this one. */
export interface OtherDesiredRecord {
  readonly host: string
  readonly type: string
  readonly value: string
  readonly priority?: number
}

/** Nothing is known of the world beyond the zone. */
export const emptyPlanContext: PlanContext = { answers: new Map(), others: [] }
