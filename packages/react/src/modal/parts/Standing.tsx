import type { ReactElement, ReactNode } from 'react'
import { useViewStyles } from '../shadowRoot.ts'
import { Icon } from './icons.tsx'
import { Mark } from './Mark.tsx'
import { standingCss } from './standing.css.ts'

export type StandingProps = {
  /** Whose answer it is about. */
  wallet: { name: string; icon?: string }
  state: 'waiting' | 'ready' | 'failed'
  headline: string
  hint: ReactNode
}

/** How things stand with a wallet: its picture, what is awaited or what happened, and what to do. */
export function Standing({ wallet, state, headline, hint }: StandingProps): ReactElement {
  useViewStyles(standingCss)
  return (
    <div className="standing" role={state === 'failed' ? 'alert' : 'status'}>
      <div className="standing-mark" data-state={state}>
        {state === 'waiting' && (
          <svg className="ring" viewBox="0 0 96 96" aria-hidden="true">
            <rect x="2" y="2" width="92" height="92" rx="29" pathLength="100" />
          </svg>
        )}
        <Mark name={wallet.name} icon={wallet.icon} size="large" />
        {state === 'failed' && (
          <span className="badge">
            <Icon name="warn" size={24} />
          </span>
        )}
      </div>
      <p className="headline">{headline}</p>
      <p className="hint">{hint}</p>
    </div>
  )
}
