/** The facts outside its zone that a plan depends on. */
export interface PlanContext {
  /** Answers of the DNS by `questionKeyOf`: empty if there are no records; a question without an entry is unanswered. */
  readonly answers: ReadonlyMap<string, ReadonlyArray<string>>
  /** The known records that other active connections desire at the hosts of the domain. */
  readonly others: ReadonlyArray<OtherDesiredRecord>
}

/** A record of the effective intent of another connection; `host` is relative to the domain of this one. */
export interface OtherDesiredRecord {
  readonly host: string
  readonly type: string
  readonly value: string
  readonly priority?: number
}

export const emptyPlanContext: PlanContext = { answers: new Map(), others: [] }
