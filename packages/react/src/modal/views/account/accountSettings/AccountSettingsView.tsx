import { switchAccount, type AccountType, type SharedAccount } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { pushView, showToast } from '@latchkey/modal'
import type { AccountId } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useChunk } from '../../../../useChunk.ts'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useAccounts } from '../../../../hooks/useAccounts.ts'
import { useIdentity } from '../../../../hooks/useIdentity.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { DisconnectButton } from '../../../parts/DisconnectButton.tsx'
import { Tabs } from '../../../parts/Tabs.tsx'
import { useLoginOf, type LoginConnector } from '../../../login/loginConnector.ts'
import { NetworkMark, Row, SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { accountCss } from '../account/account.css.ts'
import { Address } from '../account/Address.tsx'
import { Avatar } from '../account/Avatar.tsx'
import { NotConnected } from '../account/NotConnected.tsx'
import { AccountRows } from './AccountRows.tsx'
import { ApprovalsRow } from './ApprovalsRow.tsx'
import { NameRow } from './NameRow.tsx'
import { SignedIn } from './SignedIn.tsx'

/** The settings of the account: its network, its sign-in, and its login. */
export default function AccountSettingsView(): ReactElement {
  const present = useAccount()
  // Keeps the last account on screen while the modal closes after a disconnect.
  const [last, setLast] = useState(present)
  if (present.status === 'connected' && present !== last) setLast(present)
  const account = present.status === 'connected' ? present : last
  useViewStyles(accountCss)
  const { data: identity } = useIdentity(account.status === 'connected' ? account.account : undefined)
  const connectorId = account.status === 'connected' ? account.connectorId : undefined
  const accounts = useAccounts(account.network?.chainNamespace).filter((each) => each.connectorId === connectorId)
  const connector = useLoginOf(connectorId)
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <>
      <div className="identity">
        <Avatar address={account.address} identity={identity} size="medium" />
        {identity?.name !== undefined && <p className="headline person">{identity.name}</p>}
        <Address address={account.address} />
      </div>
      <NetworkRow />
      <NameRow account={account.account} />
      <ApprovalsRow />
      {connector === undefined ? (
        <Accounts accounts={accounts} wallet={account.wallet.name} />
      ) : (
        <Login connector={connector} />
      )}
      <SignedIn />
      <DisconnectButton />
    </>
  )
}

/** Apps without a login don't load these settings. */
const loadLogin = (): Promise<typeof import('../../../login/settings/LoginSettings.tsx')> =>
  import('../../../login/settings/LoginSettings.tsx')

function Login({ connector }: { connector: LoginConnector }): ReactElement {
  const { modal: t } = useModalMessages()
  const settings = useChunk(loadLogin)
  if (settings === 'failed') return <p className="hint center">{t.loadFailed}</p>
  return settings === undefined ? (
    <ul className="rows">
      <SkeletonRows count={4} />
    </ul>
  ) : (
    <settings.LoginSettings connector={connector} />
  )
}

function NetworkRow(): ReactElement | null {
  const latchkey = useLatchkey()
  const { account: t } = useModalMessages()
  const { network } = useAccount()
  if (network === undefined || !internalsOf(latchkey).settings.enableNetworkSwitch) return null
  return (
    <ul className="rows">
      <Row
        mark={<NetworkMark network={network} />}
        name={network.name}
        sub={t.network}
        end="forward"
        onChoose={() => pushView(latchkey, { view: 'Networks', params: {} })}
      />
    </ul>
  )
}

/** The accounts of the current wallet, by account type if there are several types. */
function Accounts({ accounts, wallet }: { accounts: readonly SharedAccount[]; wallet: string }): ReactElement | null {
  const latchkey = useLatchkey()
  const { accountSettings: t } = useModalMessages()
  const kinds = [...new Set(accounts.flatMap(({ type }) => type ?? []))]
  const chosen = accounts.find(({ selected }) => selected)?.type
  const shown = chosen === undefined ? accounts : accounts.filter(({ type }) => type === chosen)
  const use = (account: AccountId | undefined): void => {
    if (account === undefined || accounts.some((each) => each.selected && each.account === account)) return
    switchAccount(latchkey, account)
    showToast(latchkey, t.accountSwitched)
  }
  const useKind = (kind: AccountType): void => use(accounts.find(({ type }) => type === kind)?.account)
  return (
    <>
      {chosen !== undefined && kinds.length > 1 && (
        <Tabs
          label={t.kind}
          tabs={kinds.map((kind) => ({ id: kind, name: t.kinds[kind] }))}
          chosen={chosen}
          onChoose={useKind}
        />
      )}
      {shown.length > 1 && <AccountRows title={t.accounts({ wallet })} accounts={shown} onChoose={use} />}
    </>
  )
}
