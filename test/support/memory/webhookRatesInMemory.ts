import { DateTime } from "effect"
import type { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import type { WebhookRate } from "../../../src/domain/webhook/WebhookRate.ts"
import type { Tables } from "./Tables.ts"

const hour = 3_600_000

const currentOf = ({ webhookRates }: Tables["Type"], applicationId: ApplicationId, rate: WebhookRate, now: number) => {
  const row = webhookRates.get(`${applicationId} ${rate}`)
  return row !== undefined && row.endsAt > now ? row : { used: 0, endsAt: now + hour }
}

/** Counts uses of a rate, unless they are too many. */
export const consumeWebhookRate = (
  tables: Tables["Type"],
  { applicationId, limit, rate, uses }: Consumption,
  now: number
): boolean => {
  const { endsAt, used } = currentOf(tables, applicationId, rate, now)
  if (limit > 0 && used + uses > limit) return false
  tables.webhookRates.set(`${applicationId} ${rate}`, { used: used + uses, endsAt })
  return true
}

interface Consumption {
  readonly applicationId: ApplicationId
  readonly rate: WebhookRate
  readonly uses: number
  readonly limit: number
}

/** What an application has used of each rate. */
export const readWebhookRates = (tables: Tables["Type"], applicationId: ApplicationId, now: number) => {
  const useOf = (rate: WebhookRate) => {
    const { endsAt, used } = currentOf(tables, applicationId, rate, now)
    return { used, endsAt: DateTime.unsafeMake(endsAt) }
  }
  return { testEvents: useOf("testEvents"), replays: useOf("replays") }
}
