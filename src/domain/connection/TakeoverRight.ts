import { Data, DateTime, Option } from "effect"

/** The connections of other tenants from which a connection may take its hosts. */
export type TakeoverRight = Data.TaggedEnum<{
  /** From none that lives. */
  Nothing: {}
  /** From those whose proof is not newer; without a time, an earlier version found the proof. */
  OlderProofs: { readonly provenAt: Option.Option<DateTime.Utc> }
  Everything: {}
}>
export const TakeoverRight = Data.taggedEnum<TakeoverRight>()

/** Whether the right reaches a connection that has proven control at this time, or without a time by an earlier version. */
export const isProofOlder = (right: TakeoverRight, otherProvenAt: DateTime.Utc | undefined): boolean =>
  TakeoverRight.$match(right, {
    Nothing: () => false,
    OlderProofs: ({ provenAt }) =>
      otherProvenAt === undefined || Option.exists(provenAt, DateTime.greaterThanOrEqualTo(otherProvenAt)),
    Everything: () => true
  })
