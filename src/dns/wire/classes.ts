/** The codes of classes; NONE and ANY occur only in updates and signatures (RFC 2136 section 1.3). */
export const [classIn, classNone, classAny] = [1, 254, 255]
