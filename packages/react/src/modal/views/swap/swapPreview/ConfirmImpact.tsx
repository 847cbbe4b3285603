import { swapMessages } from '@latchkey/modal/messages'
import { useId, type ReactElement } from 'react'
import { useLatchkeyContext } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { percentText } from '../swap/amountText.ts'

/** True if the typed text is the word that confirms a swap with a high price impact. */
export function isConfirmWord(typed: string, word: string): boolean {
  return typed.trim().toLocaleLowerCase() === word.toLocaleLowerCase()
}

/** A field in which the user types a word to accept a high price impact. */
export function ConfirmImpact({
  impact,
  typed,
  onType,
}: {
  impact: number
  typed: string
  onType(text: string): void
}): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const id = useId()
  return (
    <div className="money-box">
      <label htmlFor={id} className="swap-confirm-label">
        {t.confirmImpact({ percent: percentText(locale, impact), word: t.confirmWord })}
      </label>
      <input
        id={id}
        className="swap-confirm"
        type="text"
        dir="auto"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => onType(target.value)}
      />
    </div>
  )
}
