import type { ProviderGuide } from "./ProviderGuide.ts"
import { guidesAToH } from "./guidesAToH.ts"
import { guidesIToZ } from "./guidesIToZ.ts"

/** The guides by the id of their provider, which need not be in the catalog: an operator may declare it. */
export const manualGuides: Readonly<Partial<Record<string, ProviderGuide>>> = { ...guidesAToH, ...guidesIToZ }

export const generalGuide: ProviderGuide = {}
