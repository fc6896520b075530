import { Array } from "effect"
import type { Change } from "../../domain/Plan.ts"

/**
 * The deletions of a plan that were made only so that the change at a place could be made, or the one for which that
 * deletion itself makes room: those directly before it at its host.
 */
export const madeRoomFor = (changes: ReadonlyArray<Change>, place: number): ReadonlyArray<Change> => {
  const makesRoom = (change: Change): boolean => change.action === "delete" && hostOf(change) === hostOf(changes[place])
  const beneficiary = changes.slice(place).find((change) => !makesRoom(change))
  return beneficiary?.after !== undefined && hostOf(beneficiary) === hostOf(changes[place])
    ? Array.reverse(Array.takeWhile(Array.reverse(changes.slice(0, place)), makesRoom))
    : []
}

const hostOf = (change: Change | undefined): string | undefined => change?.after?.host ?? change?.before?.host
