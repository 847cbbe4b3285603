import type { ReactElement, ReactNode } from 'react'
import { Icon } from '../parts/index.tsx'

export type Warning = { readonly key: string; readonly tone: 'note' | 'warning' | 'danger'; readonly text: ReactNode }

/** Warnings about a payment, most important first. Screen readers announce them as they appear. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }): ReactElement {
  return (
    <div role="status">
      {warnings.length > 0 && (
        <ul className="warnings">
          {warnings.map(({ key, tone, text }) => (
            <li key={key} className="warning" data-tone={tone}>
              <Icon name="warn" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
