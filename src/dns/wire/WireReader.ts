import { formatIpv6Groups } from "../../domain/names/IpAddress.ts"
import { formatLabel } from "../../domain/records/presentation.ts"

/** The first fault in a DNS message. */
export type WireFault =
  | "too_short"
  | "label_type_unknown"
  | "pointer_not_backwards"
  | "name_too_long"
  | "too_many_labels"
  | "data_length_wrong"

/** Reads a DNS message in bounded time. The first error stays as `fault`; then every read returns zero or nothing. */
export class WireReader {
  #bytes: Uint8Array
  #view: DataView
  #position = 0
  #end: number
  #maxSteps: number
  #steps = 0
  #fault: WireFault | undefined

  /** `maxSteps`: labels and pointers of all names together; honest responses to a query stay far below 8,192. */
  constructor(bytes: Uint8Array, maxSteps = 8_192) {
    this.#bytes = bytes
    this.#maxSteps = maxSteps
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#end = bytes.length
  }

  get fault(): WireFault | undefined {
    return this.#fault
  }

  /** How many bytes are left, in the record data if such are being read; 0 after a fault. */
  get remaining(): number {
    return this.#fault === undefined ? this.#end - this.#position : 0
  }

  readUint8(): number {
    return this.#has(1) ? this.#view.getUint8(this.#position++) : 0
  }

  readUint16(): number {
    return this.#has(2) ? this.#view.getUint16((this.#position += 2) - 2) : 0
  }

  readUint32(): number {
    return this.#has(4) ? this.#view.getUint32((this.#position += 4) - 4) : 0
  }

  readBytes(length: number): Uint8Array {
    if (!this.#has(length)) return new Uint8Array()
    this.#position += length
    return this.#bytes.subarray(this.#position - length, this.#position)
  }

  /** Four bytes as an IPv4 address, dotted decimal. */
  readIpv4(): string {
    return Array.from({ length: 4 }, () => this.readUint8()).join(".")
  }

  /** Sixteen bytes as an IPv6 address in the form of RFC 5952. */
  readIpv6(): string {
    return formatIpv6Groups(Array.from({ length: 8 }, () => this.readUint16()))
  }

  /** Lets `read` read exactly the next `length` bytes; if it reads more or less, that is a fault. */
  readExactly<A>(length: number, read: () => A): A {
    const outerEnd = this.#end
    if (this.#has(length)) this.#end = this.#position + length
    const value = read()
    if (this.remaining > 0) this.#fail("data_length_wrong")
    this.#end = outerEnd
    return value
  }

  /** Calls `read` as long as there are bytes left. */
  readUntilEnd<A>(read: () => A): ReadonlyArray<A> {
    const values: Array<A> = []
    while (this.remaining > 0) values.push(read())
    return values
  }

  /** Reads a name in the form of `formatLabel`. Pointers (RFC 1035 section 4.1.4) lead back only, so never in loops. */
  readName(): string {
    const labels: Array<string> = []
    let at = this.#position
    let end = this.#end
    let earliest = at
    let after: number | undefined
    let octets = 1
    while (this.#fault === undefined) {
      const length = at < end ? this.#view.getUint8(at) : 0
      const next = at + 1 + (length >= pointerMark ? 1 : length)
      if (at >= end || next > end) this.#fail("too_short")
      else if (++this.#steps > this.#maxSteps) this.#fail("too_many_labels")
      else if (length === 0) {
        this.#position = after ?? next
        return labels.length === 0 ? "." : labels.join(".")
      } else if (length >= pointerMark) {
        after ??= next
        at = this.#view.getUint16(at) & 0x3fff
        if (at >= earliest || at < headerLength) this.#fail("pointer_not_backwards")
        earliest = at
        end = this.#bytes.length
      } else if (length > maxLabelLength) this.#fail("label_type_unknown")
      else if ((octets += length + 1) > maxNameOctets) this.#fail("name_too_long")
      else {
        labels.push(formatLabel(this.#bytes.subarray(at + 1, next)))
        at = next
      }
    }
    return "."
  }

  #has(length: number): boolean {
    if (this.#fault === undefined && this.#position + length > this.#end) this.#fail("too_short")
    return this.#fault === undefined
  }

  #fail(fault: WireFault): void {
    this.#fault ??= fault
  }
}

const headerLength = 12
const pointerMark = 0xc0
const maxLabelLength = 63
const maxNameOctets = 255
