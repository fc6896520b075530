import { type VendorFault, vendorFaults } from "../../support/vendors/FakeVendor.ts"

/** A fault that a call may have; with `kills` the process ends while it waits for the answer. */
export interface MatrixFault extends VendorFault {
  readonly kills?: true
}

/** Made late, and again because nobody knew, a creation leaves two records where a vendor stores single ones. */
export const madeLate: MatrixFault = { change: "late", answer: { status: 504 } }

/** Every fault, by the words for it. */
export const matrixFaults = {
  ...vendorFaults,
  "killed, nothing done": { change: "not_made", answer: "silence", kills: true },
  "killed, but done": { change: "made", answer: "silence", kills: true },
  "504, but done just before the next write": madeLate,
  "killed, but done just before the next write": { change: "late", answer: "silence", kills: true }
} as const satisfies Readonly<Record<string, MatrixFault>>

/** The words for a fault. */
export type MatrixFaultName = keyof typeof matrixFaults

/** The faults that the shared clients do not treat alike for every adapter: it reads the answer, or finds what was made. */
export const adapterFaults: ReadonlyArray<MatrixFaultName> = [
  "no answer, but done",
  "500, nothing done",
  "500, but done",
  "a page of HTML, nothing done",
  "killed, but done",
  "killed, but done just before the next write"
]
/** The same where lists lag. */
export const adapterFaultsWithLag: ReadonlyArray<MatrixFaultName> = [
  "no answer, but done",
  "500, nothing done",
  "killed, but done",
  "504, but done just before the next write"
]
