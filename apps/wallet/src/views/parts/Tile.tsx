/** The square that stands for an app, an account or an asset: its image, or its first letter on a colour of its own. */
export function Tile({ name, seed = name, icon }: { name: string; seed?: string; icon?: string }) {
  if (icon !== undefined) return <img className="tile" src={icon} alt="" />
  const [letter = '?'] = name
  return (
    <span className="tile" data-hue={hueOf(seed)} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  )
}

/** One of the eight hues of the style sheet, always the same for the same text. */
function hueOf(seed: string): number {
  // FNV-1a, of which the highest three bits are mixed best.
  let hash = 0x811c9dc5
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 29
}
