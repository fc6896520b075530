import type { SqlClient, Statement } from "@effect/sql"
import { Array, Effect, Schema } from "effect"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { WebhookRate, WebhookRateUse } from "../../../domain/webhook/WebhookRate.ts"
import { decodeRows } from "../decodeRows.ts"

interface RateConsumption {
  readonly applicationId: ApplicationId
  readonly rate: WebhookRate
  readonly uses: Statement.Fragment
  /** 0 for no limit. */
  readonly limitPerHour: number
}

/** The statement that counts uses of a rate and returns a row; it does neither if they are too many, or none. */
export const consumeWebhookRate = (
  sql: SqlClient.SqlClient,
  { applicationId, limitPerHour, rate, uses }: RateConsumption
): Statement.Fragment => {
  const isAllowed = (used: string) =>
    sql`(${limitPerHour}::integer = 0 or ${sql.literal(used)} <= ${limitPerHour}::integer)`
  return sql`
    insert into webhook_rates as r (application_id, rate, used, ends_at)
    select ${applicationId}, ${rate}, uses, now() + interval '1 hour'
    from (select (${uses})::integer as uses) as wanted where uses > 0 and ${isAllowed("uses")}
    on conflict (application_id, rate) do update set
      used = excluded.used + case when r.ends_at <= now() then 0 else r.used end,
      ends_at = case when r.ends_at <= now() then excluded.ends_at else r.ends_at end
    where r.ends_at <= now() or ${isAllowed("r.used + excluded.used")}
    returning r.rate`
}

export const readWebhookRates = (sql: SqlClient.SqlClient, applicationId: ApplicationId) =>
  sql`
    select jsonb_object_agg(all_rates.rate, jsonb_build_object(
      'used', case when r.ends_at > now() then r.used else 0 end,
      'endsAt', case when r.ends_at > now() then r.ends_at else now() + interval '1 hour' end
    )) as rates
    from unnest(${WebhookRate.literals}::text[]) as all_rates (rate)
    left join webhook_rates as r on r.application_id = ${applicationId} and r.rate = all_rates.rate`.pipe(
    Effect.flatMap(decodeRates),
    Effect.flatMap(Array.head),
    Effect.map(({ rates }) => rates),
    Effect.catchTag("NoSuchElementException", Effect.die)
  )

const decodeRates = decodeRows(Schema.Struct({ rates: Schema.Record({ key: WebhookRate, value: WebhookRateUse }) }))
