import type { ProviderGuide } from "./ProviderGuide.ts"
import { guidesAToH } from "./guidesAToH.ts"
import { guidesIToZ } from "./guidesIToZ.ts"

/** The guides by the id of their provider, which need not be in the catalog: an operator may declare it. */
export const manualGuides: Readonly<Partial<Record<string, ProviderGuide>>> = { ...guidesAToH, ...guidesIToZ }

/** The guide of a provider of which nothing is known. */
export const generalGuide: ProviderGuide = {}

/** Lists the guides with a text that is older than 18 months at a time: their pages have to be read again. */
export const listOldGuides = (now: Date): ReadonlyArray<{ readonly id: string; readonly checked: string }> => {
  const oldest = new Date(now)
  oldest.setUTCMonth(oldest.getUTCMonth() - maxAgeMonths)
  return Object.entries(manualGuides).flatMap(([id, guide]) =>
    guide?.checked !== undefined && new Date(guide.checked) < oldest ? [{ id, checked: guide.checked }] : []
  )
}

const maxAgeMonths = 18
