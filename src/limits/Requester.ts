import { Context } from "effect"

/**
 * On whose behalf work is done: `applicationId/tenantId`, or empty for the service itself. DNS queries and large zones are
 * dealt to requesters in turns.
 */
export class Requester extends Context.Reference<Requester>()("limits/Requester", { defaultValue: () => "" }) {}
