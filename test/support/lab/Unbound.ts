import { Effect, type Scope } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { isAnswering, makeServer, type Server } from "./Server.ts"
import { programPath } from "./labAvailability.ts"

interface UnboundOptions {
  readonly name: string
  readonly address: string
  readonly directory: string
  /** Address of the root server. */
  readonly root: string
  /** Whether it keeps answers for their TTL. */
  readonly isCaching: boolean
  /** Records that it answers without asking anybody. */
  readonly known?: ReadonlyArray<string>
}

/** Unbound as a recursive resolver. */
export const makeUnbound = (options: UnboundOptions): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.suspend(() => {
    const { name, address, isCaching, known = [], root } = options
    const directory = `${options.directory}/${name}`
    mkdirSync(directory, { recursive: true })
    writeFileSync(`${directory}/root.hints`, `. 3600 NS ns.root.test.\nns.root.test. 3600 A ${root}\n`)
    writeFileSync(
      `${directory}/unbound.conf`,
      configuration(address, directory, [...(isCaching ? [] : [cacheNothing]), ...known.map(toLocalData)].join(""))
    )
    return makeServer({
      name,
      directory,
      command: [programPath("unbound"), "-d", "-c", `${directory}/unbound.conf`],
      ready: isAnswering(address, ["localhost"])
    })
  })

const cacheNothing = `
  cache-max-ttl: 0
  cache-max-negative-ttl: 0`

const toLocalData = (record: string): string => `
  local-data: "${record}"`

const configuration = (address: string, directory: string, more: string): string => `
server:
  interface: ${address}
  outgoing-interface: ${address}
  access-control: 127.0.0.0/8 allow
  directory: "${directory}"
  username: ""
  chroot: ""
  pidfile: ""
  use-syslog: no
  logfile: ""
  num-threads: 1
  do-ip6: no
  root-hints: "${directory}/root.hints"
  module-config: "iterator"
  do-not-query-localhost: no
  local-zone: "test." nodefault${more}
  infra-host-ttl: 1
  unknown-server-time-limit: 100
  outbound-msg-retry: 3
remote-control:
  control-enable: no
`
