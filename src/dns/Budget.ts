/** How many questions a walk through the DNS may still ask; what loops or never ends stops there as unknown. */
export interface Budget {
  /** Whether there was one left, which is then spent. */
  readonly spend: () => boolean
}

export const makeBudget = (questions: number): Budget => {
  let left = questions
  return {
    spend: () => {
      left -= 1
      return left >= 0
    }
  }
}
