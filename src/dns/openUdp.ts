import type { Channel, Listener } from "./Channel.ts"
import type { Endpoint } from "./Endpoint.ts"

/** A socket of its own, connected, so that the kernel hands over nothing from another address or port. */
export const openUdp = (server: Endpoint, listener: Listener): Channel => {
  let isOpen = true
  const whileOpen = (act: () => void) => {
    if (isOpen) act()
  }
  // Without a route, or a free descriptor, Bun throws instead of refusing by its promise.
  const socket = Promise.try(() =>
    Bun.udpSocket({
      // Bun binds to IPv4 unless told otherwise, and cannot connect from there to IPv6.
      hostname: server.host.includes(":") ? "::" : "0.0.0.0",
      connect: { hostname: server.host, port: server.port },
      socket: {
        data: (_, bytes) => whileOpen(() => listener.message(bytes)),
        error: () => whileOpen(listener.fault)
      }
    })
  )
  const use = (act: (open: Awaited<typeof socket>) => void) =>
    void socket.then(act).catch(() => whileOpen(listener.fault))
  return {
    send: (message) => use((open) => whileOpen(() => void open.send(message))),
    close: () => {
      if (!isOpen) return
      isOpen = false
      use((open) => open.close())
    }
  }
}
