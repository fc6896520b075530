import { notEndedCondition } from "../usage/UsageStore.ts"

/** The id of another connection that has or leads to the intent of this key, as a subquery, or null. */
export const findSameIntent = (key: string, except: string): string => `(
  select c.id from connections as c where c.intent_key = ${key} and c.id <> ${except} and c.${notEndedCondition}
  union all
  select c.id from connections as c where c.counting_intent_key = ${key} and c.id <> ${except} and c.${notEndedCondition}
  limit 1
)`
