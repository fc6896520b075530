import { Option } from "effect"
import { apexHost, type DomainName, hostWithin, isWithin } from "../domain/DomainName.ts"

/** The domain itself stands for a name above it that sends the whole domain elsewhere; else that name has no host. */
export const hostsOf = (name: string, type: string, domain: DomainName): ReadonlyArray<string> => {
  const sendsElsewhere = name !== domain && isWithin(domain, name) && (type === "NS" || type === "DNAME")
  return sendsElsewhere ? [apexHost] : Option.toArray(hostWithin(name, domain))
}
