import type { Account } from '../../families/family.ts'
import { setSettings } from '../../wallet/start.ts'
import { AccountRow } from '../parts/AccountRow.tsx'
import { Sheet } from '../parts/Sheet.tsx'
import { useWallet, useWalletState } from '../useStore.ts'

type AccountsSheetProps = { isOpen: boolean; selected: readonly Account[]; onClose(): void }

/** All accounts of the wallet, and which one of each family is in use. */
export function AccountsSheet({ isOpen, selected, onClose }: AccountsSheetProps) {
  const wallet = useWallet()
  const { settings } = useWalletState()
  const choose = ({ namespace, address }: Account): void =>
    setSettings(wallet, { selected: { ...settings.selected, [namespace]: address } })
  return (
    <Sheet
      isOpen={isOpen}
      title="Accounts"
      contentKey="accounts"
      onClose={onClose}
      footer={
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      }
    >
      {wallet.families.map(({ namespace, accounts }) => (
        <fieldset key={namespace} className="card">
          <legend className="spoken">Account in use</legend>
          {accounts.map((account) => (
            <AccountRow
              key={account.address}
              account={account}
              type="radio"
              name={`selected-${namespace}`}
              isChosen={selected.some(({ address }) => address === account.address)}
              onChange={() => choose(account)}
            />
          ))}
        </fieldset>
      ))}
      <p className="caution">
        These are the development keys that everybody knows. Whatever is sent to them on a public network is lost.
      </p>
    </Sheet>
  )
}
