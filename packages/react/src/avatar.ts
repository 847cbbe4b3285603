/**
 * The colours that stand for an address: the same address always has the same.
 *
 * @returns a CSS gradient
 */
export function avatarGradient(address: string): string {
  let hash = 7
  for (const letter of address.toLowerCase()) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  const hue = hash % 360
  const other = hue + 60 + ((hash >>> 9) % 150)
  return (
    `radial-gradient(circle at ${25 + ((hash >>> 17) % 50)}% 22%,oklch(.88 .12 ${hue}),#0000 62%),` +
    `linear-gradient(${(hash >>> 5) % 360}deg,oklch(.5 .17 ${other}),oklch(.7 .16 ${hue}))`
  )
}
