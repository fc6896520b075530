import type { HttpFault } from "./PowerDnsProxy.ts"

export const status =
  (code: number, headers: Record<string, string> = {}, body = "no"): HttpFault =>
  (response) =>
    void response.writeHead(code, headers).end(body)

export const htmlBody = status(200, { "content-type": "text/html" }, "<html>Welcome</html>")

/** Valid JSON with wrong types everywhere. */
export const wrongTypes = status(200, {}, JSON.stringify({ kind: 1, rrsets: [{ name: null, records: {} }] }))

export const oversizedBody: HttpFault = (response) => void response.writeHead(200).end(Buffer.alloc(50 * 2 ** 20, " "))

/** Sends a byte every 20 ms, without end. */
export const slowResponse: HttpFault = async (response) => {
  response.writeHead(200)
  for (; !response.destroyed; await Bun.sleep(20)) response.write(" ")
}

export const resetConnection: HttpFault = (response) => void response.socket?.destroy()

/** Executes the call at the server and then applies the fault to its response. */
export const failAfterSuccess =
  (fault: HttpFault): HttpFault =>
  async (response, pass) => {
    await (await pass()).text()
    return fault(response, pass)
  }
