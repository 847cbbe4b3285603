import type { ReactElement, ReactNode } from 'react'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { cardsCss } from './cards.css.ts'

type CardsProps = { cards: ReadonlyArray<{ title: string; text: string; picture: ReactNode }> }

/** Explanations with decorative images. */
export function Cards({ cards }: CardsProps): ReactElement {
  useViewStyles(cardsCss)
  return (
    <ul className="explained">
      {cards.map(({ title, text, picture }) => (
        <li key={title}>
          <svg viewBox="0 0 64 64" width="64" height="64" fill="none" aria-hidden="true">
            <rect className="ground" width="64" height="64" rx="18" />
            {picture}
          </svg>
          <div>
            <h2>{title}</h2>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
