import { generate } from "lean-qr"

/** The dark squares of a QR code as the path of an SVG whose unit is one square, and the number of squares in a row. */
export interface QrCode {
  readonly size: number
  readonly path: string
}

export const makeQrCode = (text: string): QrCode => {
  const code = generate(text)
  const squares = Array.from({ length: code.size ** 2 }, (_, index) => [
    index % code.size,
    Math.floor(index / code.size)
  ])
  return {
    size: code.size,
    path: squares.map(([x = 0, y = 0]) => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : "")).join("")
  }
}
