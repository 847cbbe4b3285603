import {
  disconnect,
  listWallets,
  setActiveNamespace,
  switchConnection,
  type DisconnectTarget,
  type WalletConnection,
} from '@latchkey/core'
import { pushView, showToast } from '@latchkey/modal'
import type { Namespace } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useConnections } from '../../../../hooks/useConnections.ts'
import { useConnectors } from '../../../../hooks/useConnectors.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { chooseRow } from '../../../chooseWallet.ts'
import { describeFailure } from '../../../describeFailure.ts'
import { Icon, Mark, Row } from '../../../parts/index.tsx'
import { Tabs } from '../../../parts/Tabs.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { ConnectedWallet } from './ConnectedWallet.tsx'
import { profileWalletsCss } from './profileWallets.css.ts'

/** All connected wallets by namespace, and recently connected ones. */
export default function ProfileWalletsView(): ReactElement {
  const { adapters } = useLatchkey()
  const { profileWallets: t } = useModalMessages()
  const active = useAccount().network?.chainNamespace
  const [chosen, setChosen] = useState(active ?? adapters[0]?.namespace)
  useViewStyles(profileWalletsCss)
  const tabs = adapters.map(({ namespace, name }) => ({ id: namespace, name }))
  const adapter = adapters.find(({ namespace }) => namespace === chosen)
  return (
    <>
      {tabs.length > 1 && chosen !== undefined && (
        <Tabs<Namespace> label={t.namespaces} tabs={tabs} chosen={chosen} onChoose={setChosen} panel="wallets" />
      )}
      {adapter !== undefined && (
        <div className="wallets" id="wallets" role={tabs.length > 1 ? 'tabpanel' : undefined} aria-label={adapter.name}>
          <NamespaceWallets key={adapter.namespace} namespace={adapter.namespace} name={adapter.name} />
        </div>
      )}
    </>
  )
}

function NamespaceWallets({ namespace, name }: { namespace: Namespace; name: string }): ReactElement {
  const { profileWallets: t } = useModalMessages()
  const leave = useLeave()
  const [primary, ...others] = useConnections(namespace)
  return (
    <>
      {primary === undefined ? (
        <div className="notice" role="status">
          <p className="headline">{t.noWallets}</p>
          <p className="hint">{t.noWalletsHint({ namespace: name })}</p>
        </div>
      ) : (
        <ul className="rows">
          <ConnectedWallet
            connection={primary}
            onLeave={() => leave(primary, t.disconnected({ wallet: primary.wallet.name }))}
          />
        </ul>
      )}
      {others.length > 0 && <Others connections={others} />}
      <Recent namespace={namespace} />
      <AddWallet namespace={namespace} />
      {others.length > 0 && (
        <button
          type="button"
          className="button"
          data-quiet=""
          part="disconnect"
          onClick={() => leave(namespace, undefined)}
        >
          {t.disconnectAll}
        </button>
      )}
    </>
  )
}

function Others({ connections }: { connections: readonly WalletConnection[] }): ReactElement {
  const latchkey = useLatchkey()
  const { profileWallets: t } = useModalMessages()
  const leave = useLeave()
  const change = (connection: WalletConnection): void => {
    switchConnection(latchkey, connection)
    showToast(latchkey, t.switched)
  }
  return (
    <section className="group" aria-labelledby="others">
      <h2 id="others">{t.others}</h2>
      <ul className="rows">
        {connections.map((connection) => (
          <ConnectedWallet
            key={connection.connectorId}
            connection={connection}
            onSwitch={() => change(connection)}
            onLeave={() => leave(connection, t.disconnected({ wallet: connection.wallet.name }))}
          />
        ))}
      </ul>
    </section>
  )
}

/** Recently used wallets that are not connected. */
function Recent({ namespace }: { namespace: Namespace }): ReactElement | null {
  const latchkey = useLatchkey()
  const { profileWallets: t } = useModalMessages()
  const connected = useConnections(namespace).map(({ connectorId }) => connectorId)
  // The available connectors decide which recent wallets can be offered.
  useConnectors()
  const rows = listWallets(latchkey, { namespace }).recent.filter(
    ({ id, connectorIds }) => !connected.includes(id) && !connectorIds.some((each) => connected.includes(each)),
  )
  if (rows.length === 0) return null
  return (
    <section className="group" aria-labelledby="recent">
      <h2 id="recent">{t.recent}</h2>
      <ul className="rows">
        {rows.map((row) => (
          <Row
            key={row.id}
            mark={<Mark name={row.name} icon={row.icon} />}
            name={row.name}
            tag={t.connect}
            onChoose={() => chooseRow(latchkey, row)}
          />
        ))}
      </ul>
    </section>
  )
}

function AddWallet({ namespace }: { namespace: Namespace }): ReactElement {
  const latchkey = useLatchkey()
  const { profileWallets: t } = useModalMessages()
  const add = (): void => {
    setActiveNamespace(latchkey, namespace)
    pushView(latchkey, { view: 'Connect', params: { namespace } })
  }
  return (
    <button type="button" className="button" data-primary="" part="primary" onClick={add}>
      <Icon name="plus" />
      {t.add}
    </button>
  )
}

/** Disconnects and shows a toast. The connection ends here even if a wallet could not be notified. */
function useLeave(): (target: DisconnectTarget, done: string | undefined) => void {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  return (target, done) => {
    disconnect(latchkey, target).then(
      () => done !== undefined && showToast(latchkey, done),
      (error: unknown) => showToast(latchkey, describeFailure(strings, error), { variant: 'error' }),
    )
  }
}
