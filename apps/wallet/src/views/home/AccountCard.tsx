import type { Account } from '../../namespaces/namespaceAdapter.ts'
import { Address, CopyButton } from '../components/Address.tsx'
import { Icon } from '../components/Icon.tsx'
import { Tile } from '../components/Tile.tsx'

/** Shows the selected account. */
export function AccountCard({ account, onChoose }: { account: Account; onChoose(): void }) {
  return (
    <section className="card account" aria-label="Account">
      <button type="button" className="row" aria-haspopup="dialog" onClick={onChoose}>
        <Tile name={account.name} seed={account.address} />
        <span className="row-text">
          <span className="strong">{account.name}</span>
          <small>
            <Address value={account.address} />
          </small>
        </span>
        <span className="aside">Change</span>
        <Icon name="chevron" />
      </button>
      <CopyButton value={account.address} what="address" />
    </section>
  )
}
