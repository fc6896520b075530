import { expect, test } from "bun:test"
import { isSameDkimKey } from "../../../src/domain/records/DkimRecord.ts"

const key = "v=DKIM1; k=rsa; p=AAAABBBB"

/** Whether each text is the key. */
const isKey = (...texts: ReadonlyArray<string>) => texts.map((text) => isSameDkimKey(text, key))

test("two texts are the same DKIM key in any white space and order of tags (RFC 6376 section 3.2)", () =>
  expect(
    isKey(
      key,
      "v=DKIM1;k=rsa;p=AAAABBBB",
      "v=DKIM1; k=rsa; p=AAAABBBB;",
      " v = DKIM1 ;\tp = AAAA\r\n BBBB ; k = rsa ; "
    )
  ).toEqual([true, true, true, true]))

test("two texts are different DKIM keys if a tag differs, or its letter case", () =>
  expect(
    isKey(
      "v=DKIM1; k=rsa; p=AAAAbbbb",
      "v=DKIM1; k=RSA; p=AAAABBBB",
      "v=DKIM1; K=rsa; p=AAAABBBB",
      "v=DKIM1; k=rsa; p=AAAABBBB; t=y",
      "v=DKIM1; p=AAAABBBB",
      "v=DKIM1; k=r sa; p=AAAABBBB"
    )
  ).toEqual([false, false, false, false, false, false]))

test("a text that receivers reject is the same only letter by letter", () => {
  for (const broken of [
    "k=rsa; v=DKIM1; p=AAAABBBB",
    "v=DKIM1; k=rsa; k=rsa; p=AAAABBBB",
    "v=DKIM1; k=rsa;; p=AAAABBBB",
    "v=DKIM1; rsa; p=AAAABBBB"
  ]) {
    expect([isSameDkimKey(broken, broken), isSameDkimKey(broken, `${broken};`), ...isKey(broken)]).toEqual([
      true,
      false,
      false
    ])
  }
})
