/** Where providers of on-ramps may not sell: time zones of mainland China, Hong Kong and Macau [R9.4.5]. */
const restricted =
  /^(Asia\/(Shanghai|Urumqi|Chongqing|Chungking|Harbin|Kashgar|Beijing|Hong_Kong|Macau|Macao)|PRC|Hongkong)$/

/** Whether buying is not offered where the visitor's clock says that he is. */
export function isRestrictedZone(zone: string = Intl.DateTimeFormat().resolvedOptions().timeZone): boolean {
  return restricted.test(zone)
}
