import type { HttpFault } from "./PowerDnsProxy.ts"

export const status =
  (code: number, headers: Record<string, string> = {}, body = "no"): HttpFault =>
  (response) =>
    void response.writeHead(code, headers).end(body)

export const htmlBody = status(200, { "content-type": "text/html" }, "<html>Welcome</html>")

/** JSON, but nothing in it is of its type. */
export const wrongTypes = status(200, {}, JSON.stringify({ kind: 1, rrsets: [{ name: null, records: {} }] }))

export const oversizedBody: HttpFault = (response) => void response.writeHead(200).end(Buffer.alloc(50 * 2 ** 20, " "))

/** A byte now and then, without end. */
export const slowResponse: HttpFault = async (response) => {
  response.writeHead(200)
  for (; !response.destroyed; await Bun.sleep(20)) response.write(" ")
}

export const resetConnection: HttpFault = (response) => void response.socket?.destroy()

/** The server does what it is told, and then something goes wrong on the way back. */
export const failAfterSuccess =
  (fault: HttpFault): HttpFault =>
  async (response, pass) => {
    await (await pass()).text()
    return fault(response, pass)
  }
