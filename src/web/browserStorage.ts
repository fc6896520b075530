/** Uses the storage of this tab; a page in a frame may have no access to it. */
export const withSessionStorage = <A>(use: (storage: Storage) => A): A | undefined => attempt(() => use(sessionStorage))

/** Uses the storage that all tabs of this browser share, under the same condition. */
export const withLocalStorage = <A>(use: (storage: Storage) => A): A | undefined => attempt(() => use(localStorage))

const attempt = <A>(use: () => A): A | undefined => {
  try {
    return use()
  } catch {
    return undefined
  }
}
