import type { AccountState } from '@latchkey/core'
import { receiveMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement } from 'react'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { AmountField } from '../../../money/AmountField.tsx'
import { formatRequestLink } from './formatRequestLink.ts'
import { useRequestTokens } from './useRequestTokens.ts'

export type RequestFormProps = {
  account: AccountState & { status: 'connected' }
  /** Receives the link that requests the amount, or undefined without a valid amount. */
  onChange(link: string | undefined): void
}

/** Requests an amount of the native currency or of a token that the account holds. */
export function RequestForm({ account, onChange }: RequestFormProps): ReactElement {
  const t = useFlowMessages(receiveMessages)
  const tokens = useRequestTokens(account)
  const [entry, setEntry] = useState('')
  const [chosen, setChosen] = useState('')
  const token = tokens.find(({ address = '' }) => address === chosen) ?? tokens[0]
  const link = formatRequestLink(account, token, entry)
  const isInvalid = link === undefined && entry !== ''
  const change = (amount: string, address: string): void => {
    setEntry(amount)
    setChosen(address)
    onChange(formatRequestLink(account, tokens.find((each) => (each.address ?? '') === address) ?? tokens[0], amount))
  }
  return (
    <div className="money-box">
      <div className="money-line">
        <AmountField
          label={t.amountIn({ symbol: token.symbol })}
          value={entry}
          invalid={isInvalid}
          onChange={(amount) => change(amount, chosen)}
        />
        <select
          className="request-token"
          aria-label={t.requestToken}
          value={chosen}
          onChange={({ target }) => change(entry, target.value)}
        >
          {tokens.map(({ address = '', symbol }) => (
            <option key={address} value={address}>
              {symbol}
            </option>
          ))}
        </select>
      </div>
      <p className="hint" role="status">
        {isInvalid ? t.requestInvalid : t.requestHint}
      </p>
    </div>
  )
}
