import { connect, createServer, type ListenOptions, type NetConnectOpts, type Server } from "node:net"

/** Forwards every connection to another address: a port, or a socket in the file system, which network namespaces share. */
export const forwardConnections = (from: ListenOptions, to: NetConnectOpts): Promise<Server> => {
  const server = createServer((client) => {
    const upstream = connect(to)
    client.on("error", () => upstream.destroy()).pipe(upstream)
    upstream.on("error", () => client.destroy()).pipe(client)
  })
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(from, () => resolve(server))
  })
}
