/** The state of a fake vendor on the fake's own clock, with its past as far as lagging lists still show it. */
export interface VendorState<S> {
  readonly current: () => S
  readonly replace: (state: S) => void
  /** What lists show now. */
  readonly listed: () => S
  /** Lists show the state as of so long ago, but nothing from before this was said. */
  readonly setListLag: (millis: number) => void
}

export const makeVendorState = <S>(initial: S, now: () => number): VendorState<S> => {
  let lag = 0
  let past: ReadonlyArray<{ readonly since: number; readonly state: S }> = [{ since: now(), state: initial }]
  const indexListed = () =>
    Math.max(
      0,
      past.findLastIndex(({ since }) => since <= now() - lag)
    )
  const forget = () => {
    past = past.slice(indexListed())
  }
  const current = () => past[past.length - 1]?.state ?? initial
  return {
    current,
    replace: (state) => {
      past = [...past, { since: now(), state }]
      forget()
    },
    listed: () => past[indexListed()]?.state ?? initial,
    setListLag: (millis) => {
      forget()
      lag = millis
    }
  }
}
