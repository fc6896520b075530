import { Context } from "effect"

/**
 * On whose behalf DNS queries are sent: `applicationId/tenantId`, or empty for the service itself. Permits for
 * queries are dealt round robin over requesters.
 */
export class QueryRequester extends Context.Reference<QueryRequester>()("dns/QueryRequester", {
  defaultValue: () => ""
}) {}
