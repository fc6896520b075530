import { notEndedCondition } from "../usage/UsageStore.ts"

/**
 * The id of another connection than `except` that has not ended, and has or leads to the intent with this key, as a
 * subquery; null if there is none.
 */
export const findSameIntent = (key: string, except: string): string => `(
  select c.id from connections as c where c.intent_key = ${key} and c.id <> ${except} and c.${notEndedCondition}
  union all
  select c.id from connections as c where c.counting_intent_key = ${key} and c.id <> ${except} and c.${notEndedCondition}
  limit 1
)`
