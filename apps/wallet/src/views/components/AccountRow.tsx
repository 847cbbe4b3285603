import type { Account } from '../../namespaces/namespaceAdapter.ts'
import { Address } from './Address.tsx'
import { Tile } from './Tile.tsx'

type AccountRowProps = {
  account: Account
  /** Radio buttons with one `name` select one account, check boxes several. */
  type: 'radio' | 'checkbox'
  name: string
  isChosen: boolean
  isDisabled?: boolean
  onChange(isChosen: boolean): void
}

/** A selectable account. */
export function AccountRow({ account, type, name, isChosen, isDisabled, onChange }: AccountRowProps) {
  return (
    <label className="row">
      <Tile name={account.name} seed={account.address} />
      <span className="row-text">
        <span className="strong">{account.name}</span>
        <small>
          <Address value={account.address} /> · {account.origin}
        </small>
      </span>
      <input
        type={type}
        name={name}
        checked={isChosen}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
