/** Finds a TCP port of 127.0.0.1 that is currently free. */
export const freePort = (): number => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
  listener.stop(true)
  return listener.port
}
