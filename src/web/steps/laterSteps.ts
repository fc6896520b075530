import { formatCheckAnswer, renderByHand } from "./byHand.ts"
import { renderSignIn, renderWays } from "./ways.ts"

/** What follows the review, as one script of its own: the first screen does not need it. */
export const laterSteps = { ways: renderWays, sign_in: renderSignIn, by_hand: renderByHand, formatCheckAnswer }
