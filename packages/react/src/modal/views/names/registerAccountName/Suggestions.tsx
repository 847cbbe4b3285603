import type { NameSuggestion } from '@latchkey/core/money'
import { namesMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'

type SuggestionsProps = {
  suggestions: readonly NameSuggestion[]
  suffix: string
  typed: string
  onChoose(label: string): void
}

/** Suggested names, available and registered ones. */
export function Suggestions({ suggestions, suffix, typed, onChoose }: SuggestionsProps): ReactElement | null {
  const t = useFlowMessages(namesMessages)
  // The availability of the typed name is shown above.
  const others = suggestions.filter(({ name, registered }) => registered || name !== typed + suffix)
  if (others.length === 0) return null
  return (
    <section className="group" aria-labelledby="suggestions">
      <h2 id="suggestions">{t.suggestions}</h2>
      <ul className="rows">
        {others.map(({ name, registered }) => {
          const label = name.slice(0, -suffix.length)
          const inside = (
            <>
              <span className="text">
                <bdi className="name whole" dir="ltr">
                  {label}
                </bdi>
              </span>
              <span className="tag">{registered ? t.registered : t.available}</span>
            </>
          )
          return (
            <li key={name}>
              {registered ? (
                <div className="row name-row" data-taken="">
                  {inside}
                </div>
              ) : (
                <button type="button" className="row name-row" part="row" onClick={() => onChoose(label)}>
                  {inside}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
