/** The bytes of a DNS text (RFC 1035 section 5.1): `\DDD` is a byte, `\x` the character x. */
export const bytesOf = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
    .toString("latin1")
    .replace(/\\(?:(\d{3})|(.))/gs, (_, code, character) => character ?? String.fromCharCode(Number(code) & 0xff))
  return new Uint8Array(Buffer.from(bytes, "latin1"))
}

/** Formats bytes as DNS text: `special` characters get a backslash, bytes outside printable ASCII become `\DDD`. */
export const textOf = (bytes: Iterable<number>, special: RegExp): string =>
  Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte)
    if (byte < 0x20 || byte > 0x7e) return `\\${String(byte).padStart(3, "0")}`
    return special.test(character) ? `\\${character}` : character
  }).join("")

/** The escaped labels of a name; the root has none. */
export const labelsOf = (name: string): ReadonlyArray<string> => name.match(/(?:\\.|[^.\\])+/gs) ?? []

/** The name as dig prints it, with a final dot. */
export const absolute = (name: string): string => `${labelsOf(name).join(".")}.`

/** Writes a message; a repeated name in the same spelling becomes a pointer (RFC 1035 section 4.1.4). */
export class Writer {
  #bytes = new Uint8Array(512)
  #length = 0
  readonly #names = new Map<string, number>()

  u8(value: number): void {
    this.raw([value])
  }

  u16(value: number): void {
    this.u8(value >>> 8)
    this.u8(value)
  }

  u32(value: number): void {
    this.u16(value >>> 16)
    this.u16(value)
  }

  raw(bytes: ArrayLike<number>): void {
    const start = this.#length
    this.#length += bytes.length
    if (this.#length > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length)
      longer.set(this.#bytes)
      this.#bytes = longer
    }
    this.#bytes.set(bytes, start)
  }

  /** A length in one byte, then the bytes. */
  string(bytes: Uint8Array): void {
    if (bytes.length > 255) throw new RangeError(`a character-string of ${bytes.length} bytes`)
    this.u8(bytes.length)
    this.raw(bytes)
  }

  name(name: string, compressed = true): void {
    const labels = labelsOf(name)
    for (const [index, label] of labels.entries()) {
      const rest = labels.slice(index).join(".")
      const offset = this.#names.get(rest)
      if (compressed && offset !== undefined) return this.u16(0xc000 | offset)
      if (offset === undefined && this.#length < 0x4000) this.#names.set(rest, this.#length)
      const bytes = bytesOf(label)
      if (bytes.length > 63) throw new RangeError(`a label of ${bytes.length} bytes`)
      this.string(bytes)
    }
    this.u8(0)
  }

  /** Writes `body` with a two-byte length prefix. */
  sized(body: () => void): void {
    const start = this.#length
    this.u16(0)
    body()
    const length = this.#length - start - 2
    this.#bytes.set([length >>> 8, length], start)
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}

/** Reads a message; throws `RangeError` past its end. */
export class Reader {
  offset = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  u8(): number {
    return this.take(1)[0] ?? 0
  }

  u16(): number {
    return this.u8() * 0x100 + this.u8()
  }

  u32(): number {
    return this.u16() * 0x10000 + this.u16()
  }

  take(length: number): Uint8Array {
    const end = this.offset + length
    if (end > this.#bytes.length) throw new RangeError(`${end} is past the end, ${this.#bytes.length}`)
    const bytes = this.#bytes.subarray(this.offset, end)
    this.offset = end
    return bytes
  }

  name(): string {
    const labels = this.#labels()
    if (labels.reduce((sum, label) => sum + label.length + 1, 1) > 255) throw new RangeError("a name of over 255 bytes")
    return absolute(labels.map((label) => textOf(label, /[.\\"; ]/)).join("."))
  }

  #labels(): ReadonlyArray<Uint8Array> {
    const length = this.u8()
    if (length === 0) return []
    if (length >= 0xc0) return this.#labelsAt(((length & 0x3f) << 8) | this.u8())
    if (length > 63) throw new RangeError(`a label of ${length} bytes`)
    return [this.take(length), ...this.#labels()]
  }

  #labelsAt(offset: number): ReadonlyArray<Uint8Array> {
    const nextOffset = this.offset
    if (offset >= nextOffset - 2) throw new RangeError(`a forward pointer, from ${nextOffset - 2} to ${offset}`)
    this.offset = offset
    const labels = this.#labels()
    this.offset = nextOffset
    return labels
  }
}
