import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'

/** How long a picture may take before its letter stays [R9.1.6]. */
const preloadMilliseconds = 2_000

export type MarkProps = {
  /** What the picture is of; its first letter stands in for it. */
  name: string
  /** A data URI, or an address of the app's own server. */
  icon?: string
  size?: 'small' | 'large'
}

/** The picture of a wallet, a network or a token. Always beside the name, so it is silent. */
export function Mark({ name, icon, size }: MarkProps): ReactElement {
  const { clock } = useLatchkey()
  const [loaded, setLoaded] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const isLate = icon !== undefined && loaded !== icon && !icon.startsWith('data:')
  useEffect(
    () => (isLate ? clock.after(preloadMilliseconds, () => setRefused(icon)) : undefined),
    [clock, icon, isLate],
  )
  const isShown = icon !== undefined && refused !== icon
  return (
    <span className="mark" data-size={size} aria-hidden="true">
      {(!isShown || isLate) && letterOf(name)}
      {isShown && (
        <img
          src={icon}
          alt=""
          loading="lazy"
          draggable={false}
          onLoad={() => setLoaded(icon)}
          onError={() => setRefused(icon)}
        />
      )}
    </span>
  )
}

function letterOf(name: string): string {
  const [letter = '?'] = name.trim()
  return letter.toUpperCase()
}
