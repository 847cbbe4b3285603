import { createHash } from 'node:crypto'

/**
 * Draws a tile with the initials of a name, in a colour of its own. Other people's logos are theirs; a tile is
 * enough to tell wallets apart.
 */
export function drawTile(name: string): string {
  const hue = (createHash('sha256').update(name).digest().readUInt16BE(0) * 360) >> 16
  const words = name.replace(/[^\p{L}\p{N} ]/gu, '').split(/\s+/)
  const initials = words
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2)
    .toUpperCase()
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" viewBox="0 0 80 80">',
    `<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 62% 52%)"/>`,
    `<stop offset="1" stop-color="hsl(${(hue + 24) % 360} 66% 40%)"/></linearGradient></defs>`,
    '<rect width="80" height="80" fill="url(#g)"/>',
    '<text x="40" y="41" fill="#fff" font-family="system-ui, sans-serif" font-size="30" font-weight="650" ',
    `text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`,
  ].join('')
}
