/**
 * Returns the colours of an address, which the modal and the buttons show as its avatar. Equal addresses have equal colours.
 *
 * @param address in any form; upper and lower case are the same
 * @returns a CSS gradient
 * @example <i style={{ background: avatarGradient(address) }} />
 */
export function avatarGradient(address: string): string {
  let hash = 7
  for (const letter of address.toLowerCase()) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  const hue = hash % 360
  return (
    `radial-gradient(circle at 30% 20%,oklch(.88 .12 ${hue}),#0000 62%),` +
    `linear-gradient(${hash >>> 5}deg,oklch(.5 .17 ${hue + 60 + ((hash >>> 9) % 150)}),oklch(.7 .16 ${hue}))`
  )
}
