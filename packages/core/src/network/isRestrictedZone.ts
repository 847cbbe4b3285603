/** The time zones in which on-ramp providers must not sell: mainland China, Hong Kong and Macau [R9.4.5]. */
const restricted =
  /^(Asia\/(Shanghai|Urumqi|Chongqing|Chungking|Harbin|Kashgar|Beijing|Hong_Kong|Macau|Macao)|PRC|Hongkong)$/

/** True if buying is not offered in the user's time zone. */
export function isRestrictedZone(zone: string = Intl.DateTimeFormat().resolvedOptions().timeZone): boolean {
  return restricted.test(zone)
}
