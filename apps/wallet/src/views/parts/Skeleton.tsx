/** Holds the place of a text that is on its way, of the size that it will have. */
export function Skeleton({ characters }: { characters: number }) {
  return <span className="skeleton" style={{ inlineSize: `${characters}ch` }} aria-hidden="true" />
}
