import type { ResourceRecord } from "../wire/Message.ts"

/** The first eight name servers, of which at most six have no address in the referral (NXNSAttack). */
export const chooseNameServers = (
  names: ReadonlyArray<string>,
  glue: ReadonlyArray<ResourceRecord>
): ReadonlyArray<string> => {
  const withGlue = new Set(glue.map(({ name }) => name))
  const withoutGlue = new Set(names.filter((name) => !withGlue.has(name)).slice(0, maxWithoutGlue))
  return names.filter((name) => withGlue.has(name) || withoutGlue.has(name)).slice(0, maxNameServers)
}

const maxNameServers = 8
const maxWithoutGlue = 6
