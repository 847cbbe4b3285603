/** The image of an app, account or asset, or else its first letter on a generated color. */
export function Tile({ name, seed = name, icon }: { name: string; seed?: string; icon?: string }) {
  if (icon !== undefined) return <img className="tile" src={icon} alt="" />
  const [letter = '?'] = name
  return (
    <span className="tile" data-hue={toHue(seed)} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  )
}

/** Maps a string to one of the eight hues of the style sheet. */
function toHue(seed: string): number {
  // FNV-1a. Its highest three bits are mixed best.
  let hash = 0x811c9dc5
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 29
}
