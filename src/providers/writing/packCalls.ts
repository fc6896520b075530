/** Puts as many parts into each call as it takes, in their order; a part is never divided. */
export const packCalls = <Item>(
  parts: ReadonlyArray<ReadonlyArray<Item>>,
  fits: (call: ReadonlyArray<Item>) => boolean
): ReadonlyArray<ReadonlyArray<Item>> => {
  const calls: Array<ReadonlyArray<Item>> = []
  for (const part of parts) {
    const joined = [...(calls.at(-1) ?? []), ...part]
    if (calls.length > 0 && fits(joined)) calls[calls.length - 1] = joined
    else calls.push(part)
  }
  return calls
}
