/** Uses the storage of this tab; a page in a frame may have no access to it. */
export const withSessionStorage = <A>(use: (storage: Storage) => A): A | undefined => {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
