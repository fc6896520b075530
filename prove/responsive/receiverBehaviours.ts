/** How a receiver answers: never, with a header now and then, with a body that never ends, or with a failure. */
export const receiverBehaviours = ["silent", "slow", "endless", "failing"] as const
export type ReceiverBehaviour = (typeof receiverBehaviours)[number]
