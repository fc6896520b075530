import { Context } from "effect"

/** Whose work a DNS query belongs to, `applicationId/tenantId`; empty for work of nobody, such as a dry run. */
export class QueryOwner extends Context.Reference<QueryOwner>()("dns/QueryOwner", { defaultValue: () => "" }) {}
