import { isAtOrBelow } from "../../../src/domain/names/DomainName.ts"
import type { NameSet } from "../../../src/domain/names/NameSet.ts"

/** Whether a name is in the set. */
export const isNameIn = (name: string, { at, below }: NameSet): boolean =>
  at.some((one) => one === name) || below.some((above) => name !== above && isAtOrBelow(name, above))
