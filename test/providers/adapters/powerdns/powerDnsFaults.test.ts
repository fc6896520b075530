import { everyKind, faultMatrix } from "../faultMatrix.ts"
import { powerDnsSubject } from "./powerDnsSubject.ts"

faultMatrix("PowerDNS", powerDnsSubject(), everyKind)
