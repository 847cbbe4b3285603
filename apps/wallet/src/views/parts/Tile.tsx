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
  let sum = 0
  for (const character of seed) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return sum % 8
}
