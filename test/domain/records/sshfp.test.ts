import fc from "fast-check"
import { rejected, unchanged } from "../outcomes.ts"
import { hexOf, judgeRecordType, uint8Text, words } from "./judgeRecordType.ts"

const fingerprint = "0123456789abcdef".repeat(4)

judgeRecordType("SSHFP", {
  outcomes: {
    ...unchanged(`4 2 ${fingerprint}`, `1 1 ${fingerprint.slice(0, 40)}`),
    [`4 2 ${fingerprint.toUpperCase()}`]: `4 2 ${fingerprint}`,
    ...rejected("value_malformed", "", "4 2", `4 1 ${fingerprint}`, "4 2 SHA256:abc", "ssh-ed25519 AAAAC3 me@host")
  },
  suggestions: {
    [`host.example.com IN SSHFP 4 2 ${fingerprint}`]: ["value_malformed", `4 2 ${fingerprint}`],
    [`4 1 ${Array(20).fill("AB").join(":")}`]: ["value_malformed", `4 1 ${"ab".repeat(20)}`]
  },
  spellings: fc.oneof(
    words(uint8Text, fc.constant("1"), hexOf(20)),
    words(uint8Text, fc.constant("2"), hexOf(16), hexOf(16))
  )
})
