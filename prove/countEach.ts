/** Counts equal strings. */
export const countEach = (all: ReadonlyArray<string>): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(all, (each) => each)].map(([each, group]) => [each, group.length]))
