import { Array } from "effect"
import type { RoundTrip } from "./RoundTrip.ts"

/** TXT records of every length and spelling. */
export const texts = {
  odd: (): RoundTrip => ({
    about: "texts with quotes, backslashes, semicolons, blanks and other scripts, each at its own host",
    desired: oddAtHosts,
    changes: oddTexts.length,
    served: oddAtHosts
  }),

  oddset: (): RoundTrip => ({
    about: "the same texts in one RRset",
    live: '@ 60 TXT "say \\"hi\\""\n@ 60 TXT "semi;colon; \\"and\\" more"',
    desired: oddTexts.map((text) => `@ 300 TXT ${text}`),
    changes: oddTexts.length - 1,
    served: [...oddTexts.map((text) => `@ 60 TXT ${text}`), '@ 60 TXT semi;colon; "and" more']
  }),

  oddlive: (): RoundTrip => ({
    about: "the same texts in other zone file spellings",
    live: String.raw`
      h0   TXT  "\115ay \034hi\034"
      h1   TXT  "C:\092path\\"
      h2   TXT  "v=x1; a=b; c;"
      h3   TXT  "\195\164\195\182\195\188 \230\188" "\162\229\173\151 " "\240\159\153\130"
      h4   TXT  "blanks " " around  "
      h5   TXT  "\\034\\\\" "034"
      h6   TXT  "$ORIGIN" " @ (x)"
      h7   TXT  "\"quoted\" text"
      h8   TXT  "e\204\129 " "\226\128\141"`,
    desired: oddAtHosts,
    changes: 0,
    served: oddAtHosts
  }),

  long: (): RoundTrip => ({
    about: "texts of up to 766 bytes, each at its own host",
    desired: longAtHosts,
    changes: longTexts.length,
    served: longAtHosts
  }),

  longset: (): RoundTrip => ({
    about: "long texts in one RRset, one of them split differently",
    live: `@ TXT "${ofBytes(410).slice(0, 200)}" "${ofBytes(410).slice(200)}"\n@ TXT "${ofBytes(12)}"`,
    desired: longTexts.map((text) => `@ 60 TXT ${text}`),
    changes: longTexts.length - 1,
    served: [...longTexts, ofBytes(12)].map((text) => `@ 300 TXT ${text}`)
  }),

  largest: (): RoundTrip => ({
    about: "an RRset of texts that fills a third of the longest answer",
    live: `@ TXT "${ofBytes(12)}"`,
    desired: largeTexts.map((text) => `@ 300 TXT ${text}`),
    changes: largeTexts.length,
    served: [...largeTexts, ofBytes(12)].map((text) => `@ 300 TXT ${text}`)
  })
}

/** ASCII text of this length; texts of different lengths begin differently. */
const ofBytes = (length: number): string => `${length};`.padEnd(length, "0123456789 abcdefghijklmnopqrstuvwxyz=")

const longTexts = [
  ...[1, 254, 255, 256, 410, 510, 511, 766].map(ofBytes),
  // Two bytes per letter, so that a string boundary splits a letter.
  `${"ä".repeat(205)}`
]

const largeTexts = Array.makeBy(5, (index) => ofBytes(4_000 + index))

const oddTexts = [
  'say "hi"',
  "C:\\path\\",
  "v=x1; a=b; c;",
  "äöü 漢字 🙂",
  "blanks  around  ",
  "\\034\\\\034",
  "$ORIGIN @ (x)",
  '"quoted" text',
  "e\u0301 \u200d"
]

const atHosts = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.map(values, (text, index) => `h${index} 300 TXT ${text}`)

const oddAtHosts = atHosts(oddTexts)
const longAtHosts = atHosts(longTexts)
