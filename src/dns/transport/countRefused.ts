import { metrics } from "../../runtime/metrics.ts"

/**
 * Counts a query that was not sent. `busy`: no permit for it in time; `remembered`: the server failed shortly before;
 * `server_ended`: the survey does not use the server any more; `survey` and `resolution`: the budget of reading a zone, or
 * of finding one, is spent.
 */
export const countRefused = (reason: "busy" | "remembered" | "server_ended" | "survey" | "resolution"): void =>
  metrics.dnsQueriesRefused.labeled(reason).unsafeUpdate(1, [])
