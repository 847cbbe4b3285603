/** A placeholder with the size of the text that is loading. */
export function Skeleton({ characters }: { characters: number }) {
  return <span className="skeleton" style={{ inlineSize: `${characters}ch` }} aria-hidden="true" />
}
