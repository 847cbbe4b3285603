import type { Account } from '../../namespaces/namespaceAdapter.ts'
import { setSettings } from '../../wallet/start.ts'
import { AccountRow } from '../components/AccountRow.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { useWallet, useWalletState } from '../useStore.ts'

type AccountsSheetProps = { isOpen: boolean; selected: readonly Account[]; onClose(): void }

/** Lists the wallet's accounts and selects one per namespace. */
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
      {wallet.adapters.map(({ namespace, accounts }) => (
        <fieldset key={namespace} className="card">
          <legend className="spoken">Selected account</legend>
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
        These development keys are public. Anything that you send to them on a public network is lost.
      </p>
    </Sheet>
  )
}
