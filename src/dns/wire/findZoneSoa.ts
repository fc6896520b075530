import { isAtOrBelow } from "../../domain/DomainName.ts"
import type { Message, ResourceRecord } from "./Message.ts"

/**
 * Finds the SOA record with which a server of `zone` proves that it has no records (RFC 2308 section 2), its own or that
 * of a zone below it which it serves too; undefined without one.
 */
export const findZoneSoa = ({ authorities }: Message, queryName: string, zone: string): ResourceRecord | undefined =>
  authorities.find(({ name, type }) => type === "SOA" && isAtOrBelow(name, zone) && isAtOrBelow(queryName, name))
