/** The options of a proof on the command line. */
export interface ProofOptions {
  /** Makes random choices repeatable. */
  readonly seed: number
  /** Whether a short form is run, with less of everything; `events`, `responsive`, `upgrade` and `watch` have one. */
  readonly isShort: boolean
  /** The parts to run, separated by commas; `responsive` and `alerts` have parts. */
  readonly only: string | undefined
  /** Whether clients reach the service through Caddy; only `responsive` can do so. */
  readonly isBehindCaddy: boolean
  /** The tag or commit to begin with; only `upgrade` takes one. */
  readonly from: string | undefined
}
