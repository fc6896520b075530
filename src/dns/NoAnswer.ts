import { Data } from "effect"

/**
 * A question stays open: nothing is known, and nothing may be taken for absent. `address_not_reachable`: there is no
 * address that the service may send to; `busy`: so much else was asked that there was no time left for this; `lame`: the
 * server answers without authority, or as no resolver does.
 */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{
  readonly reason:
    | "address_not_reachable"
    | "no_route"
    | "busy"
    | "timed_out"
    | "malformed"
    | "truncated"
    | "format_error"
    | "server_failure"
    | "refused"
    | "lame"
    | "budget_spent"
}> {}
